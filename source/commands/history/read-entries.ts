import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {entryName, isLongText, type HistoryEntry, type HistoryQuery} from '../../interface/history.ts';
import type {JsonValue} from '../../interface/json.ts';
import {didYouMean, nameIdentity, nearestNames} from '../../interface/name-index.ts';
import {resources} from '../../interface/records.ts';
import {valueText} from '../../changes/change.ts';
import {readPages, type ReadHistory} from '../../changes/history.ts';
import type {DiffLine} from '../../state/text-diff.ts';
import {withWholeTexts} from '../../state/whole-entry.ts';
import {exactClock} from '../../words/age.ts';
import type {Context} from '../context.ts';
import {printFields} from '../output/table.ts';
import type {Service} from '../with-service.ts';

/** Reads entries of the history, the newest first, until there are enough. */
export async function readEntries(
	context: Context,
	{history}: Service,
	query: Omit<HistoryQuery, 'records' | 'before' | 'limit'>,
	{words, limit}: {readonly words: readonly string[]; readonly limit: number},
): Promise<{readonly entries: readonly HistoryEntry[]; readonly isMore: boolean}> {
	const records = words.flatMap(word => toRecords(word));
	const pages: ReadHistory[] = [];
	context.showProgress('Reading the history …');
	for await (const page of readPages(async each => history.read(each, context.readSignal), {...query, records, limit})) {
		if (pages.length === 0) {
			notePart(context, page.isWhole);
		}

		pages.push(page);
	}

	const entries = pages.flatMap(page => page.entries);
	return {entries: entries.slice(0, limit), isMore: pages.at(-1)?.next !== undefined || entries.length > limit};
}

/** A word is a name; digits are also an id. */
const toRecords = (word: string): ReadonlyArray<string | number> => (/^\d{1,15}$/.test(word) ? [Number(word), word] : [word]);

/** Notes before anything else that a history is not the service's own. */
export function notePart({note}: Context, isWhole: boolean): void {
	if (!isWhole) {
		note('This service keeps no history. These are the changes that this machine made or saw; others are missing.');
	}
}

/**
Looks up the words that match no entry, without the other conditions. A record without changes may still exist.

@throws SwitchboardError `not-found` with the names that may be meant.
*/
export async function findNames(
	context: Context,
	service: Service,
	words: readonly string[],
	entries: readonly HistoryEntry[],
): Promise<void> {
	const unseen = words.filter(word => !entries.some(isOf(word)));
	for (const word of unseen) {
		const found = await service.history.read({records: toRecords(word), limit: 1}, context.readSignal);
		if (found.entries.length > 0) {
			continue;
		}

		const present = await presentNames(context, service);
		if (present.every(({id, name}) => String(id) !== word && nameIdentity(name) !== nameIdentity(word))) {
			throw new SwitchboardError('not-found', `Nothing named “${word}” is in the history.`, {
				nextStep:
					didYouMean(
						nearestNames(
							word,
							present.map(({name}) => name),
						),
					) ?? 'List all changes with: switchboard history',
			});
		}
	}
}

const isOf =
	(word: string) =>
	({record, name}: HistoryEntry): boolean =>
		String(record) === word || nameIdentity(name) === nameIdentity(word);

/** Returns the present names of records, as far as they can be read. */
async function presentNames({readSignal}: Context, {client}: Service) {
	const lists = await Promise.allSettled(resources.map(async resource => client.list(resource, readSignal)));
	return lists.flatMap(list => (list.status === 'fulfilled' ? list.value.records.map(({id, name}) => ({id, name})) : []));
}

/**
Reads one entry with its whole texts.

@throws SwitchboardError `not-found`
*/
export async function readEntry(context: Context, {history}: Service, id: number): Promise<HistoryEntry> {
	const missing = new SwitchboardError('not-found', `There is no change ${id} in the history.`, {
		nextStep: 'List them with: switchboard history',
	});
	try {
		const {entries, isWhole} = await history.read({entry: id}, context.readSignal);
		const [entry] = entries;
		notePart(context, isWhole);
		if (entry?.id !== id) {
			throw missing;
		}

		return await withWholeTexts(entry);
	} catch (error) {
		throw toSwitchboardError(error).kind === 'not-found' ? missing : error;
	}
}

/** Fields whose texts are compared line by line. */
const textFields: ReadonlySet<string> = new Set(['prompt', 'description']);

/** Notes that a long text is incomplete. */
export function noteBroken({note}: Context, {to}: HistoryEntry): void {
	if (isLongText(to)) {
		note('The new text of this change cannot be rebuilt from the history of the service.');
	}
}

/** Prints one entry for a person or a log, with the difference of its texts. All of it is safe for a terminal. */
export async function printEntry(context: Context, entry: HistoryEntry): Promise<void> {
	const {id, at, by, key, via, kind, record, field, from, to} = entry;
	printFields(context, [
		['id', String(id)],
		['at', context.streams.stdout.isTTY ? exactClock(Date.parse(at), Date.now(), context.timeZone.zone) : at],
		['by', by],
		['key', key === by ? undefined : (key ?? undefined)],
		['via', via],
		['kind', kind],
		['name', entryName(entry)],
		['record', String(record)],
		['field', field],
		['from', valueText(entry, from, context.timeZone)],
		['to', valueText(entry, to, context.timeZone)],
	]);
	const lines = await differenceOf(entry);
	const {linesBeneath} = await import('../output/diff.ts');
	for (const line of linesBeneath(context, lines, context.streams.stdout)) {
		context.print(line);
	}
}

async function differenceOf({field, from, to, ...entry}: HistoryEntry): Promise<readonly DiffLine[]> {
	if (isLongText(to)) {
		return to.difference === undefined ? [] : givenLines(to.difference);
	}

	const {promptDiff} = await import('../../state/text-diff.ts');
	return textFields.has(field) && isText(from) && isText(to) ? promptDiff(entryName(entry), from ?? '', to ?? '') : [];
}

/** The lines of the service's own difference, if the new text cannot be rebuilt from it. */
const givenLines = (difference: string): readonly DiffLine[] =>
	difference
		.replace(/\n$/, '')
		.split('\n')
		.map(text => ({
			kind: text.startsWith('@@') ? 'hunk' : text.startsWith('+') ? 'added' : text.startsWith('-') ? 'removed' : 'context',
			text,
		}));

const isText = (value: JsonValue): value is string | null => value === null || typeof value === 'string';
