import {errorText, toSwitchboardError} from '../../interface/errors.ts';
import {stateWord} from '../../interface/installed-lookup.ts';
import {fold} from '../../interface/match.ts';
import {cleanName, resources, type Resource} from '../../interface/records.ts';
import {keyTable, type ActionName} from '../../words/key-table.ts';
import type {UiServices} from '../app-context.ts';
import type {ServiceSession} from '../hooks/service-session.ts';
import type {SwitchTarget} from '../hooks/switch-words.ts';
import type {Toggle} from '../hooks/use-resource.ts';
import {createRowFilter} from '../state/rows.ts';
import {kinds, off, on, openRecord, plain, removal, searchFor, type PaletteEntries, type PaletteEntry} from './palette-entries.ts';
import {grades, nameGrade} from './palette-grades.ts';
import {refuseChange} from './refuse-change.ts';
import {switchAgents} from './switch-agents.ts';
import {parseNoted} from './timer-field.tsx';
import {onCountText, tiedAbilitiesIn} from './tied-abilities.ts';

/** The words before a name that act on its record. */
const verbs: ReadonlyArray<readonly [name: string, words: readonly string[], resource: Resource, action: ActionName]> = [
	['switch on', on, 'installed', 'enable-marked'],
	['switch off', off, 'installed', 'disable-marked'],
	['toggle', ['toggle', 'switch', 'flip'], 'installed', 'toggle'],
	['uninstall', ['uninstall', 'remove'], 'installed', 'uninstall'],
	['delete', removal, 'abilities', 'delete'],
	['install', ['install', 'add', 'get'], 'abilities', 'install'],
	['rename', ['rename'], 'agents', 'edit-name'],
	['edit the prompt of', ['edit', 'prompt'], 'agents', 'edit-prompt'],
];

/** More than anybody reads; people narrow the list as they type. */
const mostVerbRows = 100;

type Found = {readonly entry: PaletteEntry; readonly grade: number};

/** Returns a function from a typed text to what it does with records, such as “on lamps until 18:00”; the best first. */
export function createVerbs(entries: PaletteEntries, {ui, session}: {readonly ui: UiServices; readonly session: ServiceSession}) {
	const ofResource = Map.groupBy(
		entries.filter(({record}) => record !== undefined),
		({record}) => record!.resource,
	);
	const choosers = new Map(resources.map(resource => [resource, createRowFilter()]));

	/** @param time - of a timer, for verbs that switch on or off. */
	const withVerbs = (text: string, time?: string): readonly Found[] => {
		const problem = time === undefined ? '' : problemOf(time, ui);
		return verbs.flatMap(([verb, phrases, resource, action]) => {
			const rest = restAfter(text, phrases);
			const isSetting = action === 'enable-marked' || action === 'disable-marked';
			if (rest === '' || (time !== undefined && !isSetting)) {
				return [];
			}

			const all = ofResource.get(resource) ?? [];
			// A name may look like a term of a filter.
			const exact = all.filter(entry => entry.name === cleanName(rest)).map(({id}) => id);
			return [...new Set([...exact, ...choosers.get(resource)!(all, searchFor(rest)).ids])].slice(0, mostVerbRows).map((id): Found => {
				const {name, record} = entries[id]!;
				const entry: PaletteEntry = {
					...entries[id]!,
					name: `${verb} ${name}${time === undefined ? '' : ` until ${time}`}`,
					description: problem || `${verb} the ${kinds[resource]} ${name} (${record!.id})`,
					keys: '',
					facts: undefined,
					run(toggle) {
						if (keyTable[action].writes === true && refuseChange(ui, action)) {
							return;
						}

						if (problem !== '') {
							ui.store.dispatch({type: 'open', overlay: {kind: 'palette', text: `${phrases[0]!} ${rest} until ${time!}`}});
						} else if (isSetting && session.records.seen('installed')?.some(({id: each}) => each === record!.id) === true) {
							void switchOne(ui, toggle, {id: record!.id, name, isEnabled: action === 'enable-marked'}, time);
						} else {
							openRecord(ui, record!);
							ui.act(action);
						}
					},
				};
				return {entry, grade: nameGrade(name, rest)};
			});
		});
	};

	const tiedOf = tiedAbilitiesIn(session);

	const ofAgents = (text: string): readonly Found[] =>
		[true, false].flatMap(isEnabled => {
			const rest = restAfter(text, isEnabled ? on : off);
			const agents = rest === '' ? [] : (session.records.seen('agents') ?? []);
			return agents
				.filter(({name, abilityIds = []}) => abilityIds.length > 0 && nameGrade(name, rest) < grades.other)
				.slice(0, mostVerbRows)
				.map((agent): Found => {
					const verb = `switch ${stateWord(isEnabled)}`;
					const name = cleanName(agent.name);
					const entry = {
						...plain,
						name: `${verb} the abilities of ${name}`,
						description: `agent ${agent.id}, ${onCountText(tiedOf(agent))}`,
						run(toggle: Toggle) {
							if (!refuseChange(ui, isEnabled ? 'enable-marked' : 'disable-marked')) {
								switchAgents(isEnabled, {ui, session, toggle, chosen: [agent], isAsked: true});
							}
						},
					};
					return {entry, grade: nameGrade(name, rest)};
				});
		});

	return (text: string): readonly Found[] => {
		const {head = '', time} = /^(?<head>.+) (?:until|for) (?<time>.+)$/iu.exec(text)?.groups ?? {};
		const timed = withVerbs(head, time);
		// Otherwise a part of the time could be taken for a part of a name.
		const untimed = withVerbs(text).filter(({grade}) => timed.length === 0 || grade <= grades.folded);
		return [...untimed, ...timed, ...ofAgents(text)].toSorted((first, second) => first.grade - second.grade);
	};
}

/** Returns the text after one of these phrases; empty if it begins with none. */
function restAfter(text: string, phrases: readonly string[]): string {
	const phrase = phrases.find(each => fold(text).startsWith(`${each} `));
	return phrase === undefined ? '' : text.slice(phrase.length).trim();
}

/** Returns the reason why a text is not the time of a timer; empty if it is one. */
function problemOf(text: string, {timeZone}: UiServices): string {
	try {
		parseNoted(text, {now: Date.now(), ...timeZone});
		return '';
	} catch (error) {
		return errorText(toSwitchboardError(error));
	}
}

type Wanted = SwitchTarget & {readonly name: string};

/** Switches an ability, until a time if one was typed. */
async function switchOne({say, timeZone}: UiServices, toggle: Toggle, {id, name, isEnabled}: Wanted, until?: string): Promise<void> {
	const time = until === undefined ? undefined : parseNoted(until, {now: Date.now(), ...timeZone});
	if (time !== undefined && !(await toggle.timers.agree())) {
		return;
	}

	if (toggle.setMany([id], isEnabled, '', time && {...time, enabled: !isEnabled}) === 0) {
		say('info', `${name} is already ${stateWord(isEnabled)}${time === undefined ? '' : ': no timer was set'}.`);
	}
}
