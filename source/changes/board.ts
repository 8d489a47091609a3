import {cleanText} from '../interface/clean-text.ts';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {wordList} from '../interface/format-count.ts';
import {describeText, entryName, isLongText, type HistoryEntry} from '../interface/history.ts';
import type {Agent} from '../interface/records.ts';
import {shellWord} from '../platform/shell-word.ts';
import {exactClock} from '../words/age.ts';
import {canSet, findField, isPresence, isSameValue, resourceOf, withValues, type RecordKind} from './fields.ts';
import {readPages, type History, type ReadHistory} from './history.ts';
import {isRevertible, planReversal, type KnownRecords, type PlannedReversal} from './revert.ts';

/*
The board as it was at a moment, from the history: for each field the first entry after the moment has the value then.

	3  09:00  pantry  on → off
	5  10:00  pantry  off → on
	now       pantry  on

At 09:30 pantry was off, as entry 5 says. At 08:30 it was on, as entry 3 says, and still is. The entries of a field have to continue each
other up to the present value; otherwise something was changed that the history does not have, and the value then is not known.
*/

/** A time, or an entry: then the board is as that entry left it. */
export type Moment = {readonly at: Date} | {readonly entry: number};

/** The entries of one field after the moment. */
type FieldAt = {
	/** Its `from` is the value at the moment. */
	readonly first: HistoryEntry;
	readonly last: HistoryEntry;
	/** False if something is missing between two of them. */
	readonly isContinuous: boolean;
};

export type Board = {
	readonly fields: readonly FieldAt[];
	/** When the oldest entry was made; `undefined` if the service does not say. */
	readonly reachesBackTo: string | undefined;
	/** False if the history is the one of this machine. */
	readonly isWhole: boolean;
};

/**
Reads the history back to a moment.

@throws SwitchboardError `refused` if the moment is before the oldest entry; and as `History.read` does.
*/
export async function readBoard(history: Pick<History, 'read'>, moment: Moment, signal?: AbortSignal): Promise<Board> {
	const isAfter = ({id, at}: HistoryEntry): boolean => ('entry' in moment ? id > moment.entry : Date.parse(at) > moment.at.getTime());
	const folder = createFolder(isAfter);
	let page: ReadHistory | undefined;
	let oldest: HistoryEntry | undefined;
	for await (const each of readPages(async query => history.read(query, signal), {})) {
		page = each;
		for (const entry of page.entries) {
			// A service may repeat entries.
			if (oldest === undefined || entry.id < oldest.id) {
				folder.add(entry);
				oldest = entry;
			}
		}

		const isBefore = 'at' in moment && page.reachesBackTo !== undefined && Date.parse(page.reachesBackTo) > moment.at.getTime();
		if (isBefore || (page.entries.length > 0 && !page.entries.some(entry => isAfter(entry)))) {
			break;
		}
	}

	const reachesBackTo = page?.reachesBackTo ?? (page?.next === undefined ? oldest?.at : undefined);
	if (oldest === undefined || (isAfter(oldest) && 'at' in moment)) {
		throw new SwitchboardError(
			'refused',
			oldest === undefined
				? 'There is no history, so it is not known how anything was then.'
				: `The history reaches back to ${exactClock(Date.parse(reachesBackTo ?? oldest.at), Date.now())}, not to that time.`,
			oldest === undefined ? {} : {nextStep: 'Name a later time.'},
		);
	}

	return {fields: folder.fields(), reachesBackTo, isWhole: page!.isWhole};
}

/** Folds entries, the newest first, into the fields that changed after a moment. */
function createFolder(isAfter: (entry: HistoryEntry) => boolean) {
	const folded = new Map<string, FoldedField>();
	return {
		add(entry: HistoryEntry): void {
			const place = `${placed(entry)} ${entry.field}`;
			const newer = folded.get(place);
			const isUnbroken = newer === undefined || (newer.isUnbroken && isSameValue(entry.to, newer.oldest.from));
			folded.set(place, {
				first: newer?.first,
				isContinuous: newer?.isContinuous ?? true,
				last: newer?.last ?? entry,
				oldest: entry,
				isUnbroken,
				// After the clock was set back, an entry with a lower number may be a later one.
				...(isAfter(entry) && {first: entry, isContinuous: isUnbroken}),
			});
		},
		fields: (): readonly FieldAt[] =>
			[...folded.values()].flatMap(({first, last, isContinuous}) => (first === undefined ? [] : [{first, last, isContinuous}])),
	};
}

type FoldedField = Omit<FieldAt, 'first'> & {
	readonly first: HistoryEntry | undefined;
	readonly oldest: HistoryEntry;
	/** False if something is missing between the oldest entry so far and the last one. */
	readonly isUnbroken: boolean;
};

type Unknown = {readonly kind: string; readonly name: string; readonly field: string; readonly reason: string};

export type BoardPlan = {
	/** The changes that bring fields back to their values at the moment. */
	readonly reversals: ReadonlyArray<NonNullable<PlannedReversal['reversal']>>;
	/** Values that are known but cannot be set now. */
	readonly failed: ReadonlyArray<{readonly entry: HistoryEntry; readonly error: SwitchboardError}>;
	/** The number of fields that were changed since and have the value of the moment again. */
	readonly unchangedCount: number;
	readonly unknown: readonly Unknown[];
	/** Records that came or went since, and versions: sentences, as nothing is done about them. */
	readonly leftAlone: readonly string[];
	/** Tells whether a record came after the moment. */
	readonly isNew: (kind: RecordKind, id: number) => boolean;
};

type PlanSources = {
	readonly records: KnownRecords;
	/** Returns an entry with its whole texts. */
	readonly readWhole: (entry: HistoryEntry) => Promise<HistoryEntry>;
};

/** Compares the board at a moment with the present records. */
export async function planBoard({fields}: Pick<Board, 'fields'>, {records, readWhole}: PlanSources): Promise<BoardPlan> {
	const [unknown, leftAlone]: [Unknown[], string[]] = [[], []];
	const failed: Array<BoardPlan['failed'][number]> = [];
	const reversals: Array<BoardPlan['reversals'][number]> = [];
	const changed = fields.filter(({first: {kind}}) => kind !== 'key');
	const newRecords = new Set(changed.filter(({first}) => isPresence(first) && first.to === true).map(({first}) => placed(first)));
	const named = namesThen(changed, records);
	let unchangedCount = 0;
	for (const field of changed) {
		const {first, last} = field;
		const seen = recordIn(records, first);
		// A record that came or went since is named once.
		if (isPresence(first) || seen === undefined || newRecords.has(placed(first))) {
			continue;
		}

		if (!isRevertible(first)) {
			leftAlone.push(...versionText(field));
			continue;
		}

		const found = await planField(field, seen, {records: first.field === 'abilities' ? named : records, readWhole});
		if ('reason' in found) {
			unknown.push({kind: first.kind, name: entryName(first), field: first.field, reason: found.reason});
		} else if ('error' in found) {
			failed.push({entry: {...first, to: last.to}, error: found.error});
		} else if (found.planned.reversal === undefined) {
			unchangedCount++;
		} else {
			reversals.push(found.planned.reversal);
		}

		if ('planned' in found && found.planned.gone.length > 0) {
			leftAlone.push(
				`${entryName(first)} had ${wordList(found.planned.gone)} then, which no longer ${found.planned.gone.length === 1 ? 'exists' : 'exist'}.`,
			);
		}
	}

	leftAlone.unshift(...presenceTexts(changed, records));
	return {reversals, failed, unchangedCount, unknown, leftAlone, isNew: (kind, record) => newRecords.has(placed({kind, record}))};
}

/** Plans one field of a record that was there at the moment. */
async function planField(
	{first, last, isContinuous}: FieldAt,
	seen: Agent,
	{records, readWhole}: PlanSources,
): Promise<{readonly reason: string} | {readonly error: SwitchboardError} | {readonly planned: PlannedReversal}> {
	const present = findField(resourceOf[first.kind as RecordKind], first.field)!.read(seen) ?? null;
	const isLast = isLongText(last.to) && typeof present === 'string' ? describeText(present).sha256 === last.to.sha256 : undefined;
	if (!isContinuous || isLast === false) {
		return {reason: 'it was also changed in a way that the history does not have'};
	}

	const {from} = isLongText(first.from) ? await readWhole(first) : first;
	if (!canSet(resourceOf[first.kind as RecordKind], first.field, from)) {
		return {reason: 'the history does not say what it was'};
	}

	// A list is described as well if it is long.
	const to = isLast ? present : isLongText(last.to) ? (await readWhole(last)).to : last.to;
	try {
		const planned = planReversal({...first, from, to}, records);
		return planned.isOvertaken ? {reason: 'it is not as its last entry says'} : {planned};
	} catch (error) {
		return {error: toSwitchboardError(error)};
	}
}

function recordIn(records: KnownRecords, {kind, record}: HistoryEntry): Agent | undefined {
	return (records[resourceOf[kind as RecordKind]] as readonly Agent[]).find(({id}) => id === record);
}

const placed = ({kind, record}: Pick<HistoryEntry, 'kind' | 'record'>): string => `${kind} ${record}`;

/** Returns the records with the names that abilities had, by which entries name the abilities of an agent. */
function namesThen(fields: readonly FieldAt[], records: KnownRecords): KnownRecords {
	const names = new Map(
		fields
			.filter(({first}) => first.kind === 'ability' && first.field === 'name' && typeof first.from === 'string')
			.map(({first}) => [first.record, first.from]),
	);
	return {
		...records,
		abilities: records.abilities.map(ability =>
			names.has(ability.id) ? withValues('abilities', ability, {name: names.get(ability.id)}) : ability,
		),
	};
}

/** Returns a sentence for each record that came or went since; a removed ability that was created again has another id. */
function presenceTexts(fields: readonly FieldAt[], records: KnownRecords): readonly string[] {
	const presences = fields.map(({first}) => first).filter(first => isPresence(first));
	return [...Map.groupBy(presences, first => `${first.kind} ${entryName(first)}`).values()].flatMap(same => {
		const [first] = same as [HistoryEntry];
		const name = entryName(first);
		const [came, went] = first.field === 'installed' ? ['installed', 'uninstalled'] : ['created', 'deleted'];
		const isThere = same.some(each => each.to === true && recordIn(records, each) !== undefined);
		const isGone = same.some(each => each.to === false);
		return isThere
			? [
					isGone
						? `${name} was ${went} and ${came} again since, and is left alone.`
						: `${name} was ${came} since: it was not there then, and is left alone.`,
				]
			: isGone
				? [`${name} was ${went} since, and is not ${came} again.`]
				: [];
	});
}

function versionText({first, last}: FieldAt): readonly string[] {
	const version = typeof first.from === 'string' ? first.from : '';
	if (first.field !== 'version' || version === '' || isSameValue(first.from, last.to)) {
		return [];
	}

	const name = entryName(first);
	const command = `switchboard abilities restore ${shellWord(name)} --version ${shellWord(version)}`;
	return [`${name} had version ${cleanText(version, 60)} then: ${command}`];
}
