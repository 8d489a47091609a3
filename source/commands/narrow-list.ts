import {SwitchboardError} from '../interface/errors.ts';
import {filterTerms, parseFilter, searchTextOf, unknownTermsText, type Filterable} from '../interface/filter.ts';
import {formatCount} from '../interface/format-count.ts';
import {installedLookup} from '../interface/installed-lookup.ts';
import {findSubstring, fold, type SearchText} from '../interface/match.ts';
import type {Agent, InstalledAbility, Records, Resource} from '../interface/records.ts';
import type {Context} from './context.ts';
import {lookUpAbilityIds, readList} from './find-records.ts';
import {wrongValue} from './options.ts';
import {chooseCategory, chooseTied} from './switch.ts';
import type {Service} from './with-service.ts';

/** As on the screens. */
const maximumLength = 1000;

/** Options that leave records out of a list; all but `--filter` belong only to `installed`. */
export type NarrowOptions = {
	readonly on?: boolean;
	readonly off?: boolean;
	readonly agent?: string;
	readonly category?: string;
	readonly search?: string;
	readonly filter?: string;
};

/**
Checks the options, and returns a function that leaves out records that do not match.

@throws SwitchboardError `usage`; the function also if an agent or a category does not exist, or the service does not show the abilities of
an agent.
*/
export function narrowing({on: isOn = false, off: isOff = false, agent, category, search, filter}: NarrowOptions) {
	if (isOn && isOff) {
		throw new SwitchboardError('usage', '--on and --off cannot be used together.', {nextStep: 'Use one of them.'});
	}

	// An unset variable would list everything.
	for (const [flag, value] of [
		['--search', search],
		['--filter', filter],
	] as const) {
		if (value?.trim() === '') {
			throw wrongValue(flag, '', 'words to look for, or leave it out');
		}

		// Each word is searched for in each record.
		if (value !== undefined && value.length > maximumLength) {
			throw new SwitchboardError('usage', `${flag} has more than ${formatCount(maximumLength)} characters.`);
		}
	}

	const terms = filter === undefined ? undefined : {line: filter, filter: readFilter(filter)};
	const words = (search ?? '')
		.split(/\s+/)
		.filter(word => word !== '')
		.map(word => fold(word));
	return async <R extends Resource>(
		context: Context,
		service: Service,
		resource: R,
		records: ReadonlyArray<Records[R]>,
	): Promise<ReadonlyArray<Records[R]>> => {
		const installed = records as readonly InstalledAbility[];
		const choices: ReadonlyArray<(record: InstalledAbility) => boolean> = [
			...(isOn || isOff ? [({isEnabled}: InstalledAbility) => isEnabled === isOn] : []),
			...(agent === undefined ? [] : [await chooseTied(context, service, installed, agent, false)]),
			...(category === undefined ? [] : [chooseCategory(installed, category)]),
		];
		const chosen = records.filter(
			record => choices.every(isChosen => isChosen(record as InstalledAbility)) && hasWords(searchTextOf(record), words),
		);
		return terms === undefined ? chosen : applyFilter(context, service, resource, chosen, terms);
	};
}

/**
Parses a filter as on the screens, but every term must have a meaning, as a command cannot show that it ignores one.

@throws SwitchboardError `usage` for an unknown or unfinished term, or a term about events on the screen.
*/
function readFilter(line: string) {
	const filter = parseFilter(line);
	const ofScreen = filterTerms(line).find(term => /^!?is:(?:marked|failed|changed)$/i.test(term));
	const unknownTerms = [
		...filter.unknownTerms,
		...filterTerms(line).filter(term => /^!?is:./i.test(term) && term === filter.unfinishedTerm),
	];
	const wrong = unknownTerms[0] ?? filter.unfinishedTerm ?? ofScreen;
	if (wrong !== undefined) {
		throw new SwitchboardError('usage', unknownTermsText(unknownTerms) ?? `The filter term “${wrong}” is not known to commands.`, {
			nextStep:
				'Use words, is:on, is:off, is:timed, category:NAME, agent:NAME, changed:<2d, and “!” before any of them. See: switchboard help filter',
		});
	}

	return filter;
}

type Terms = {readonly line: string; readonly filter: ReturnType<typeof readFilter>};

const hasWords = (text: SearchText, words: readonly string[]): boolean => words.every(word => findSubstring(text, word) !== undefined);

/** Returns the matching records, in the order of the service; separated letters count only if the words occur in no record. */
async function applyFilter<R extends Resource>(
	context: Context,
	service: Service,
	resource: R,
	records: ReadonlyArray<Records[R]>,
	terms: Terms,
): Promise<ReadonlyArray<Records[R]>> {
	const {filter} = terms;
	const toFilterable = await filterables(context, service, resource, terms);
	const abilityIdOf =
		resource === 'installed' && filter.dependsOnAgents
			? await lookUpAbilityIds(context, service, records as readonly InstalledAbility[])
			: undefined;
	const allowed = records.map(record => {
		const filterable = toFilterable(record, abilityIdOf === undefined ? record.id : abilityIdOf(record as InstalledAbility));
		return {record, filterable, text: searchTextOf(filterable)};
	});
	const fitting = (isFuzzy: boolean) => allowed.filter(({text}) => filter.match(text, isFuzzy) !== undefined);
	const exact = fitting(false);
	return (exact.length > 0 ? exact : fitting(true))
		.filter(({filterable, text}) => filter.allows(filterable, () => text))
		.map(({record}) => record);
}

/** Returns the properties of records that a filter may ask for; the other lists are read only if it does. */
async function filterables(context: Context, service: Service, resource: Resource, {line, filter}: Terms) {
	const agents: readonly Agent[] = filter.dependsOnAgents && resource !== 'agents' ? await readList(context, service, 'agents') : [];
	const installed = /is:/i.test(line) && resource === 'abilities' ? await readList(context, service, 'installed') : [];
	const installedOf = installedLookup(installed);
	const agentsOf = Map.groupBy(
		agents.flatMap(({name, abilityIds = []}) => [...new Set(abilityIds)].map(id => ({id, name}))),
		({id}) => id,
	);
	return (record: Records[Resource], abilityId: number | undefined): Filterable =>
		'prompt' in record
			? {...record, text: `#${record.id}\n${record.prompt}`, agents: [record.name]}
			: {
					...record,
					isEnabled: 'isEnabled' in record ? record.isEnabled : installedOf(record)?.isEnabled,
					timer: 'timer' in record ? record.timer : installedOf(record)?.timer,
					agents: ((abilityId === undefined ? undefined : agentsOf.get(abilityId)) ?? []).map(({name}) => name),
				};
}
