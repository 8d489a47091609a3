import {lossesOf} from '../../../changes/revert.ts';
import {wordList} from '../../../interface/format-count.ts';
import {absenceCheck, installedLookup} from '../../../interface/installed-lookup.ts';
import {goneText} from '../../../interface/lists.ts';
import type {Ability, Agent, InstalledAbility, Records, Resource} from '../../../interface/records.ts';
import {useUiServices, type UiServices} from '../../app-context.ts';
import {shownState, stateLines, uniqueName} from '../../hooks/undo-installation.ts';
import {gatherForUndo, type Gathered} from '../../hooks/former-abilities.ts';
import {newestOf} from '../../hooks/list-cache.ts';
import {useServiceSession, type ServiceSession} from '../../hooks/service-session.ts';
import type {ActionName} from '../../../words/key-table.ts';
import {keyName, runAction} from '../../../words/keymap.ts';
import type {Question} from '../../state/app-state.ts';
import {askQuestion} from '../confirm.tsx';
import {nothingSelected} from '../refuse-change.ts';
import {closeOverlay} from '../save-overlay.ts';
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
		const chosen = marked.length === 0 ? current : marked;
		return runAction(
			{
				open() {
					actOnRecords(ui, current, ({id}) => store.dispatch({type: 'open', overlay: {kind: 'ability', resource: 'abilities', id}}));
				},
				talk() {
					actOnRecords(ui, current, ({id}) => store.dispatch({type: 'open', overlay: {kind: 'try-ability', resource: 'abilities', id}}));
				},
				upload() {
					store.dispatch({type: 'open', overlay: {kind: 'upload'}});
				},
				'edit-ability'() {
					actOnRecords(ui, current, ({id}) => store.dispatch({type: 'open', overlay: {kind: 'edit-ability', id}}));
				},
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

type KnownAgents = readonly Agent[] | 'reading' | 'unreadable';

type ImpactOptions = {
	readonly nameOf: (ability: Ability) => string;
	readonly installed: readonly InstalledAbility[] | undefined;
	readonly agents: KnownAgents;
};

/** Returns the further losses of a deletion, as lines for the question. */
function deletionImpactLines(abilities: readonly Ability[], {nameOf, installed, agents}: ImpactOptions): readonly string[] {
	const isOne = abilities.length === 1;
	const it = isOne ? 'it' : 'them';
	const states = abilities.map(installationIn(installed));
	const kinds = new Set(states.map(state => (typeof state === 'object' ? 'untied' : state)));
	const isAnyKnown = kinds.has('untied') || kinds.has('absent');
	const which = isOne ? 'whether it is installed' : `which of ${isAnyKnown ? 'the others' : 'them'} are installed`;
	const lost = abilities.map((ability, index) => {
		const state = states[index]!;
		const users = typeof agents === 'string' ? [] : agents.filter(({abilityIds}) => abilityIds?.includes(ability.id));
		const parts = [
			typeof state === 'object' && state.isEnabled !== undefined
				? `installed and ${shownState(state)}`
				: state === 'untied' || typeof state === 'object'
					? 'installed'
					: '',
			users.length === 0 ? '' : `used by ${users.map(agent => agent.name).join(', ')}`,
		].filter(part => part !== '');
		// The question names a single agent.
		return isOne ? (parts.length === 0 ? undefined : `It is ${parts.join(', ')}.`) : [nameOf(ability), ...parts].join(', ');
	});
	const lines = [
		...lost,
		kinds.has('untied') ? `Deleting ${it} also uninstalls ${it}.` : undefined,
		kinds.has('not-shown')
			? `This service doesn't say ${which}.`
			: kinds.has('not-read')
				? `It is not known ${which}: the installed abilities were not read.`
				: undefined,
		unknownUsersText(agents, it),
	].filter(line => line !== undefined);
	return lines.length === 0 ? ['It is not installed, and no agent uses it.'] : lines;
}

/** The installed record of an ability; `untied` if there is one, but it is not known which. */
type Installation = InstalledAbility | 'absent' | 'untied' | 'not-shown' | 'not-read';

function installationIn(installed: readonly InstalledAbility[] | undefined): (ability: Ability) => Installation {
	const installedOf = installedLookup(installed ?? []);
	const isAbsent = absenceCheck(installed ?? []);
	return ability => {
		if (ability.isInstalled !== undefined) {
			return installedOf(ability) ?? (ability.isInstalled ? 'untied' : 'absent');
		}

		return installed === undefined ? 'not-read' : (installedOf(ability) ?? (isAbsent(ability) ? 'absent' : 'not-shown'));
	};
}

function unknownUsersText(agents: KnownAgents, it: 'it' | 'them'): string | undefined {
	if (typeof agents === 'string') {
		return agents === 'reading' ? `Checking which agents use ${it}…` : `Could not check which agents use ${it}.`;
	}

	return agents.every(({abilityIds}) => abilityIds !== undefined)
		? undefined
		: `Agents that use ${it} lose ${it}; this service doesn't say which.`;
}

/** Returns the effect of `u` after a deletion, and the permanent losses, as lines for the question. */
function undoLines(abilities: readonly Ability[], {sourceOf}: Gathered, undoKey: string): readonly string[] {
	const isOne = abilities.length === 1;
	const sources = abilities.map(ability => ({ability, source: sourceOf(ability.id)}));
	if (sources.some(({source}) => source === undefined)) {
		return [`Reading ${isOne ? 'its source' : 'their sources'}, so that ${undoKey} can undo this…`];
	}

	const lost = sources.flatMap(({ability: {name}, source}) => ('reason' in source! ? [{name, reason: source.reason}] : []));
	const parts = sources.flatMap(({ability, source}) =>
		'reason' in source! ? [] : lossesOf(ability).map(loss => (isOne ? loss : `${loss} (${ability.name})`)),
	);
	const back = isOne
		? abilities[0]!.versions.length > 1
			? 'back the present version'
			: 'it back'
		: lost.length > 0
			? 'back the others'
			: 'them back';
	const areLost = parts.length === 1 && !parts[0]!.endsWith('s') ? 'is lost' : 'are lost';
	const loss = parts.length === 0 ? '' : `; ${wordList(parts)} ${areLost}`;
	return [
		...(lost.length === 0
			? []
			: [`${isOne ? 'This cannot be undone' : `Lost for good: ${lost.map(({name}) => name).join(', ')}`}: ${lost[0]!.reason}`]),
		...(lost.length === abilities.length ? [] : [`${undoKey} can bring ${back}, with ${isOne ? 'a new id' : 'new ids'}${loss}.`]),
	];
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
		return runAction(
			{
				open() {
					actOnRecords(ui, current, ({id}) => store.dispatch({type: 'open', overlay: {kind: 'ability', resource: 'installed', id}}));
				},
				talk() {
					actOnRecords(ui, current, ({id}) => store.dispatch({type: 'open', overlay: {kind: 'try-ability', resource: 'installed', id}}));
				},
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
