import {type Ability} from '../../../interface/records.ts';
import {useUiServices} from '../../app-context.ts';
import {seenRecords} from '../../hooks/seen-records.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {runAction} from '../../keys/action-handlers.ts';
import {type ActionName} from '../../keys/key-table.ts';
import {closeOverlay} from '../agent/close-overlay.ts';
import {installedLookup} from '../../../interface/installed-lookup.ts';
import {actOnRecords} from './act-on-records.ts';
import {askAboutRecords} from './ask-about-records.ts';
import {deletionImpactLines, type KnownAgents} from './deletion-impact.ts';
import {useBatch} from './use-batch.ts';

/**
Runs an action on abilities, in their list or on an open one: on all marked ones or, if none is, on the one given.
Returns false for any other action.
*/
export const useAbilityActions = (): ((action: ActionName, ability: Ability | undefined, marked: readonly Ability[]) => boolean) => {
	const ui = useUiServices();
	const session = useServiceSession();
	const runBatch = useBatch();
	const {store, say} = ui;

	const readAgents = async (): Promise<KnownAgents> => {
		try {
			await session.readAgain('agents');
			return seenRecords(session, 'agents') ?? 'unreadable';
		} catch {
			return 'unreadable';
		}
	};

	const confirmDeletion = ({id: firstId}: Ability, abilities: readonly Ability[]): void => {
		let agents: KnownAgents = 'reading';
		const askAnew = askAboutRecords(ui, session, {
			resource: 'abilities',
			records: abilities,
			questionOf(there) {
				const [{name, id}] = there as readonly [Ability];
				const isOne = there.length === 1;
				return {
					question: `Delete ${isOne ? `${name} (${id})` : `${there.length} abilities`}? This cannot be undone.`,
					details: deletionImpactLines(there, seenRecords(session, 'installed'), typeof agents === 'string' ? agents : seenRecords(session, 'agents') ?? agents),
					yes: isOne ? `delete ${name}` : `delete ${there.length} abilities`,
					isFinal: true,
				};
			},
			onYes(there) {
				// A deleted ability does not stay open.
				closeOverlay(ui, 'ability', firstId);
				runBatch('delete', there);
			},
		});
		void (async () => {
			agents = await readAgents();
			askAnew();
		})();
	};

	const install = ({name}: Ability, abilities: readonly Ability[]): void => {
		const installedOf = installedLookup(seenRecords(session, 'installed') ?? []);
		const missing = abilities.filter(ability => installedOf(ability) === undefined);
		if (missing.length > 0) {
			runBatch('install', missing);
		} else {
			say('info', abilities.length === 1 ? `${name} is already installed.` : `All ${abilities.length} marked abilities are already installed.`);
		}
	};

	return (action, ability, marked) => {
		const current = ability === undefined ? [] : [ability];
		const chosen = marked.length === 0 ? current : marked;
		const noneText = 'There is no ability here.';
		return runAction({
			open() {
				actOnRecords(ui, current, noneText, ({id}) => {
					store.dispatch({type: 'open', overlay: {kind: 'ability', resource: 'abilities', id}});
				});
			},
			upload() {
				store.dispatch({type: 'open', overlay: {kind: 'upload'}});
			},
			install() {
				actOnRecords(ui, chosen, noneText, install);
			},
			delete() {
				actOnRecords(ui, chosen, noneText, confirmDeletion);
			},
		}, action);
	};
};
