import {type Ability} from '../../../interface/records.ts';
import {useUiServices} from '../../app-context.ts';
import {seenRecords} from '../../hooks/seen-records.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {useDeleteAbilities} from '../../hooks/use-delete-abilities.ts';
import {useInstallAbility} from '../../hooks/use-install-ability.ts';
import {keyName} from '../../keys/hints.ts';
import {type ActionName} from '../../keys/key-table.ts';
import {closeOverlay} from '../agent/close-overlay.ts';
import {refuseWhenReadOnly} from '../read-only.ts';
import {installedLookup} from '../installed-lookup.ts';
import {ask} from './ask.ts';
import {deletionImpactLines, type KnownAgents} from './deletion-impact.ts';
import {createBatchMessages, sayUnderWay} from './batch-messages.ts';

type OwnAction = 'open' | 'upload' | 'install' | 'delete';

const own: ReadonlySet<ActionName> = new Set<OwnAction>(['open', 'upload', 'install', 'delete']);

const isOwn = (action: ActionName): action is OwnAction => own.has(action);

/**
Carries out what can be done with abilities, in their list and where one is open: on all that are marked or, where none
is, on the one given. Gives false for any other action.
*/
export const useAbilityActions = (): ((action: ActionName, ability: Ability | undefined, marked: readonly Ability[]) => boolean) => {
	const ui = useUiServices();
	const session = useServiceSession();
	const {deleteAbilities, isDeleting, readAgents} = useDeleteAbilities();
	const {install, isInstalling} = useInstallAbility();
	const {store, say} = ui;

	const deleteAll = async (abilities: readonly Ability[]): Promise<void> => {
		const wanted = abilities.filter(({id}) => !isDeleting(id));
		if (wanted.length === 0) {
			sayUnderWay(ui, abilities, 'deleted');
			return;
		}

		const report = createBatchMessages<Ability>({
			ui,
			history: session.undoHistory,
			screen: 'abilities',
			count: wanted.length,
			done: 'deleted',
			action: 'delete',
			whyFinal: '; that cannot be undone.',
		});
		report.begin(wanted);
		await deleteAbilities(wanted, report.onEach);
		report.end();
	};

	const confirmDeletion = (abilities: readonly Ability[]): void => {
		const lossWith = (agents: KnownAgents): readonly string[] => deletionImpactLines(abilities, seenRecords(session, 'installed'), agents);
		const {name, id} = abilities[0]!;
		const isOne = abilities.length === 1;
		const amend = ask(ui, {
			question: `Delete ${isOne ? `${name} (${id})` : `${abilities.length} abilities`}? This cannot be undone.`,
			details: lossWith('reading'),
			yes: isOne ? `delete ${name}` : `delete ${abilities.length} abilities`,
			isFinal: true,
			onYes() {
				// What is removed does not stay open.
				closeOverlay(ui, 'ability', id);
				void deleteAll(abilities);
			},
		});
		void (async () => {
			const agents = await readAgents();
			amend(lossWith(agents ?? 'unreadable'));
		})();
	};

	const installAll = async (abilities: readonly Ability[]): Promise<void> => {
		const installedOf = installedLookup(seenRecords(session, 'installed') ?? []);
		const missing = abilities.filter(ability => installedOf(ability) === undefined);
		const wanted = missing.filter(({id}) => !isInstalling(id));
		const [first] = abilities;
		if (missing.length > 0 && wanted.length === 0) {
			sayUnderWay(ui, missing, 'installed');
			return;
		}

		if (wanted.length === 0) {
			say('info', abilities.length === 1 ? `${first!.name} is installed already.` : `All ${abilities.length} marked are installed already.`);
			return;
		}

		const report = createBatchMessages<Ability>({
			ui,
			history: session.undoHistory,
			screen: 'abilities',
			count: wanted.length,
			done: 'installed',
			action: 'install',
			whyFinal: `, and undo does not remove what is installed: ${keyName(ui.keymap, 'uninstall')} on the Installed screen does, after a question.`,
		});
		report.begin(wanted);
		await install(wanted, report.onEach);
		report.end();
	};

	return (action, ability, marked) => {
		if (!isOwn(action)) {
			return false;
		}

		if (action !== 'open' && refuseWhenReadOnly(ui)) {
			return true;
		}

		if (action === 'upload') {
			store.dispatch({type: 'open', overlay: {kind: 'upload'}});
			return true;
		}

		const chosen = marked.length > 0 ? marked : (ability === undefined ? [] : [ability]);
		if (action === 'open' && ability !== undefined) {
			store.dispatch({type: 'open', overlay: {kind: 'ability', resource: 'abilities', id: ability.id}});
		} else if (chosen.length === 0 || action === 'open') {
			say('info', 'There is no ability here.');
		} else if (action === 'delete') {
			confirmDeletion(chosen);
		} else {
			void installAll(chosen);
		}

		return true;
	};
};
