import {type InstalledAbility} from '../../../interface/records.ts';
import {stateWord} from '../../../interface/state-word.ts';
import {useUiServices} from '../../app-context.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {useUninstallAbilities} from '../../hooks/use-uninstall-abilities.ts';
import {type ActionName} from '../../keys/key-table.ts';
import {closeOverlay} from '../agent/close-overlay.ts';
import {refuseWhenReadOnly} from '../read-only.ts';
import {ask} from './ask.ts';
import {forgetPhraseForm} from './phrase-form.ts';
import {createBatchMessages, sayUnderWay} from './batch-messages.ts';

type OwnAction = 'open' | 'uninstall' | 'edit-phrases';

const own: ReadonlySet<ActionName> = new Set<OwnAction>(['open', 'uninstall', 'edit-phrases']);

const isOwn = (action: ActionName): action is OwnAction => own.has(action);

const describe = ({name, id, isEnabled}: InstalledAbility): string =>
	`${name} (${id}), ${isEnabled === undefined ? 'whose state is not shown' : `which is ${stateWord(isEnabled)}`}`;

/**
Carries out what can be done with installed abilities, in their list and where one is open. Removing is for all that are
marked or, where none is, for the one given. Gives false for any other action.
*/
export const useInstalledActions = (): ((action: ActionName, installed: InstalledAbility | undefined, marked: readonly InstalledAbility[]) => boolean) => {
	const ui = useUiServices();
	const session = useServiceSession();
	const {uninstallAbilities, isUninstalling} = useUninstallAbilities();
	const {store, say} = ui;

	const removeAll = async (records: readonly InstalledAbility[]): Promise<void> => {
		const wanted = records.filter(({id}) => !isUninstalling(id));
		if (wanted.length === 0) {
			sayUnderWay(ui, records, 'removed');
			return;
		}

		const report = createBatchMessages<InstalledAbility>({
			ui,
			history: session.undoHistory,
			screen: 'installed',
			count: wanted.length,
			done: 'removed',
			action: 'uninstall',
			whyFinal: '; that cannot be undone: installing again restores neither state nor ties.',
		});
		report.begin(wanted);
		await uninstallAbilities(wanted, report.onEach);
		report.end();
	};

	const confirmRemoval = (records: readonly InstalledAbility[]): void => {
		const [first] = records;
		const isOne = records.length === 1;
		const stays = `The ${isOne ? 'ability itself stays' : 'abilities themselves stay'}.`;
		ask(ui, {
			question: `Remove ${isOne ? first!.name : `${records.length} abilities`} from what is installed?`,
			details: [...records.map(record => describe(record)), stays],
			yes: isOne ? `remove ${first!.name}` : `remove ${records.length}`,
			onYes() {
				// What is removed does not stay open.
				closeOverlay(ui, 'ability', first!.id);
				void removeAll(records);
			},
		});
	};

	const editPhrases = ({id, name, raw}: InstalledAbility): void => {
		if (Object.hasOwn(raw, 'trigger_words')) {
			forgetPhraseForm(session, id);
			store.dispatch({type: 'open', overlay: {kind: 'phrases', id}});
		} else {
			say('info', `This service does not show the trigger phrases of ${name}: what is there cannot be edited unseen.`);
		}
	};

	return (action, installed, marked) => {
		if (!isOwn(action)) {
			return false;
		}

		if (action !== 'open' && refuseWhenReadOnly(ui)) {
			return true;
		}

		if (installed === undefined && (marked.length === 0 || action !== 'uninstall')) {
			say('info', 'There is no installed ability here.');
		} else if (action === 'uninstall') {
			confirmRemoval(marked.length > 0 ? marked : [installed!]);
		} else if (action === 'edit-phrases') {
			editPhrases(installed!);
		} else {
			store.dispatch({type: 'open', overlay: {kind: 'ability', resource: 'installed', id: installed!.id}});
		}

		return true;
	};
};
