import {type InstalledAbility} from '../../../interface/records.ts';
import {useUiServices} from '../../app-context.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {runAction} from '../../keys/action-handlers.ts';
import {type ActionName} from '../../keys/key-table.ts';
import {closeOverlay} from '../agent/close-overlay.ts';
import {actOnRecords} from './act-on-records.ts';
import {askAboutRecords} from './ask-about-records.ts';
import {installedText} from './installed-text.ts';
import {forgetPhraseForm} from './phrase-form.ts';
import {useBatch} from './use-batch.ts';

/**
Runs an action on installed abilities, in their list or on an open one. Uninstalling is for all marked ones or, if none
is, for the one given. Returns false for any other action.
*/
export const useInstalledActions = (): ((action: ActionName, installed: InstalledAbility | undefined, marked: readonly InstalledAbility[]) => boolean) => {
	const ui = useUiServices();
	const session = useServiceSession();
	const runBatch = useBatch();
	const {store, say} = ui;

	const confirmUninstallation = ({id}: InstalledAbility, records: readonly InstalledAbility[]): void => {
		askAboutRecords(ui, session, {
			resource: 'installed',
			records,
			questionOf(there) {
				const isOne = there.length === 1;
				const subject = isOne ? there[0]!.name : `${there.length} abilities`;
				return {
					question: `Uninstall ${subject}?`,
					details: [...there.map(record => `${record.name} (${installedText(record)})`), `The ${isOne ? 'ability itself stays' : 'abilities themselves stay'}.`],
					yes: `uninstall ${subject}`,
				};
			},
			onYes(there) {
				// An uninstalled record does not stay open.
				closeOverlay(ui, 'ability', id);
				runBatch('uninstall', there);
			},
		});
	};

	const editPhrases = ({id, name, raw}: InstalledAbility): void => {
		if (Object.hasOwn(raw, 'trigger_words')) {
			forgetPhraseForm(session, id);
			store.dispatch({type: 'open', overlay: {kind: 'phrases', id}});
		} else {
			say('info', `This service doesn't show the trigger phrases of ${name}, so they cannot be edited.`);
		}
	};

	return (action, installed, marked) => {
		const current = installed === undefined ? [] : [installed];
		const noneText = 'There is no installed ability here.';
		return runAction({
			open() {
				actOnRecords(ui, current, noneText, ({id}) => {
					store.dispatch({type: 'open', overlay: {kind: 'ability', resource: 'installed', id}});
				});
			},
			'edit-phrases'() {
				actOnRecords(ui, current, noneText, editPhrases);
			},
			uninstall() {
				actOnRecords(ui, marked.length === 0 ? current : marked, noneText, confirmUninstallation);
			},
		}, action);
	};
};
