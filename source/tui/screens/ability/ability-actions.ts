import {installedLookup} from '../../../interface/installed-lookup.ts';
import {goneText} from '../../../interface/lists.ts';
import type {Ability, InstalledAbility, Records, Resource} from '../../../interface/records.ts';
import {useUiServices, type UiServices} from '../../app-context.ts';
import {stateLines, uniqueName} from '../../hooks/undo-installation.ts';
import {gatherForUndo} from '../../hooks/former-abilities.ts';
import {newestOf} from '../../hooks/list-cache.ts';
import {useServiceSession, type ServiceSession} from '../../hooks/service-session.ts';
import type {ActionName} from '../../../words/key-table.ts';
import {keyName, runAction} from '../../../words/keymap.ts';
import type {Overlay, Question} from '../../state/app-state.ts';
import {askQuestion} from '../confirm.tsx';
import {nothingSelected} from '../refuse-change.ts';
import {closeOverlay} from '../save-overlay.ts';
import {deletionImpactLines, undoLines} from './deletion-texts.ts';
import {fieldsIn} from './edit-record-screen.tsx';
import {useBatch} from './use-batch.ts';

/**
Returns a function that carries out actions on abilities, in their list or on an open one: on all marked abilities or, if none is marked, on
the given one. It returns false for any other action.
*/
export function useAbilityActions(): (action: ActionName, ability: Ability | undefined, marked: readonly Ability[]) => boolean {
	const ui = useUiServices();
	const session = useServiceSession();
	const batch = useBatch();
	const {store, say} = ui;

	const confirmDeletion = ({id: firstId}: Ability, abilities: readonly Ability[]): void => {
		const gathered = gatherForUndo(session, {
			deleted: abilities,
			onChange() {
				askAnew();
			},
		});
		const askAnew = askAboutRecords(ui, session, {
			resource: 'abilities',
			records: abilities,
			questionOf(there) {
				const [{name, versions}] = there as readonly [Ability];
				const isOne = there.length === 1;
				const nameOf = uniqueName(session.records.seen('abilities'));
				const subject = isOne
					? `${nameOf(there[0]!)}${versions.length > 1 ? ` (${versions.length} versions)` : ''}`
					: `${there.length} abilities`;
				return {
					question: `Delete ${subject}?`,
					details: [
						...undoLines(there, gathered, keyName(ui.keymap, 'undo')),
						...deletionImpactLines(there, {nameOf, installed: session.records.seen('installed'), agents: gathered.agents()}),
					],
					yes: isOne ? `delete ${name}` : `delete ${there.length} abilities`,
					isFinal: true,
					word: 'delete',
				};
			},
			onNo: gathered.stop,
			onYes(there) {
				// A deleted ability does not stay open.
				closeOverlay(ui, 'ability', firstId);
				void batch('delete', there, gathered);
			},
		});
	};

	const install = ({name}: Ability, abilities: readonly Ability[]): void => {
		const installedOf = installedLookup(session.records.seen('installed') ?? []);
		const missing = abilities.filter(ability => installedOf(ability) === undefined);
		if (missing.length > 0) {
			void batch('install', missing);
		} else {
			say(
				'info',
				abilities.length === 1 ? `${name} is already installed.` : `All ${abilities.length} marked abilities are already installed.`,
			);
		}
	};

	return (action, ability, marked) => {
		const current = ability === undefined ? [] : [ability];
		const opens = openerOf(ui, current);
		const chosen = marked.length === 0 ? current : marked;
		return runAction(
			{
				open: opens(id => ({kind: 'ability', resource: 'abilities', id})),
				talk: opens(id => ({kind: 'try-ability', resource: 'abilities', id})),
				upload() {
					store.dispatch({type: 'open', overlay: {kind: 'upload'}});
				},
				'edit-ability': opens(id => ({kind: 'edit-ability', id})),
				install() {
					actOnRecords(ui, chosen, install);
				},
				delete() {
					actOnRecords(ui, chosen, confirmDeletion);
				},
			},
			action,
		);
	};
}

type AskOptions<R extends Resource> = {
	readonly resource: R;
	readonly records: ReadonlyArray<Records[R]>;
	questionOf(there: ReadonlyArray<Records[R]>): Omit<Question, 'onYes' | 'onNo'>;
	onNo(): void;
	onYes(there: ReadonlyArray<Records[R]>): void;
};

/**
Asks about records; while it is open, the question follows the lists.

@returns a function that renews the question, for facts that are not in a list.
*/
function askAboutRecords<R extends Resource>(
	ui: UiServices,
	session: ServiceSession,
	{resource, records, questionOf, onYes, onNo}: AskOptions<R>,
): () => void {
	const read = (): Question => {
		const {there, gone} = newestOf(session.records.queryClient, resource, records);
		const goneLines = gone.map(({name}) => goneText(resource, name));
		const {details, ...question} = questionOf(there.length === 0 ? records : there);
		return {
			...question,
			details: there.length === 0 ? goneLines : [...details, ...goneLines],
			onNo,
			onYes() {
				if (there.length === 0) {
					onNo();
					ui.say('info', goneLines.join(' '));
				} else {
					onYes(there);
				}
			},
		};
	};

	const amend = askQuestion(ui, read());
	const follow = (): void => {
		if (!amend(read())) {
			unsubscribe();
		}
	};

	const unsubscribe = session.records.queryClient.getQueryCache().subscribe(event => {
		if (event.type === 'updated' && event.action.type === 'success') {
			follow();
		}
	});
	return follow;
}

type Act<Record_> = (first: Record_, all: readonly Record_[]) => void;

function actOnRecords<Record_>({say}: Pick<UiServices, 'say'>, records: readonly Record_[], act: Act<Record_>): void {
	const [first] = records;
	if (first === undefined) {
		say('info', nothingSelected);
	} else {
		act(first, records);
	}
}

/** Returns a function from an overlay of a record to what opens it for the first of these. */
function openerOf(ui: UiServices, records: ReadonlyArray<{readonly id: number}>) {
	return (overlayOf: (id: number) => Overlay) => (): void =>
		actOnRecords(ui, records, ({id}) => ui.store.dispatch({type: 'open', overlay: overlayOf(id)}));
}

/**
Returns a function that carries out actions on installed abilities, in their list or on an open one. Uninstalling acts on all marked
abilities or, if none is marked, on the given one. It returns false for any other action.
*/
export function useInstalledActions(): (
	action: ActionName,
	installed: InstalledAbility | undefined,
	marked: readonly InstalledAbility[],
) => boolean {
	const ui = useUiServices();
	const session = useServiceSession();
	const batch = useBatch();
	const {store, say} = ui;

	const confirmUninstallation = ({id}: InstalledAbility, records: readonly InstalledAbility[]): void => {
		const gathered = gatherForUndo(session, {
			deleted: [],
			onChange() {
				/* The question does not depend on it. */
			},
		});
		askAboutRecords(ui, session, {
			resource: 'installed',
			records,
			questionOf(there) {
				const isOne = there.length === 1;
				const subject = isOne ? there[0]!.name : `${there.length} abilities`;
				return {
					question: `Uninstall ${subject}?`,
					details: [...stateLines(session, there), `The ${isOne ? 'ability itself stays' : 'abilities themselves stay'}.`],
					yes: `uninstall ${subject}`,
				};
			},
			onNo: gathered.stop,
			onYes(there) {
				// An uninstalled record does not stay open.
				closeOverlay(ui, 'ability', id);
				void batch('uninstall', there, gathered);
			},
		});
	};

	const edit = (installed: InstalledAbility): void => {
		const {id, name} = installed;
		if (fieldsIn('installed', installed).length > 0) {
			store.dispatch({type: 'open', overlay: {kind: 'edit-installed', id}});
		} else {
			say('info', `This service doesn't show the trigger phrases of ${name}, so they cannot be edited.`);
		}
	};

	return (action, installed, marked) => {
		const current = installed === undefined ? [] : [installed];
		const opens = openerOf(ui, current);
		return runAction(
			{
				open: opens(id => ({kind: 'ability', resource: 'installed', id})),
				talk: opens(id => ({kind: 'try-ability', resource: 'installed', id})),
				'edit-installed'() {
					actOnRecords(ui, current, edit);
				},
				uninstall() {
					actOnRecords(ui, marked.length === 0 ? current : marked, confirmUninstallation);
				},
			},
			action,
		);
	};
}
