import {setTimeout as delay} from 'node:timers/promises';
import type {ChangeOutcome, Finding, NotDone, Noticed} from '../changes/send-changes.ts';
import type {ResourceList} from '../client/client.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {listNouns} from '../interface/lists.ts';
import {nearIdentity} from '../interface/name-index.ts';
import {cleanName, rawName, type DecodedRecord, type Records, type Resource} from '../interface/records.ts';
import type {Context} from './context.ts';
import type {Service} from './with-service.ts';

/*
Services were seen to answer a change with 2xx and to do nothing, or something else (`docs/interface.md`). So a command reads the lists
concerned once after all its changes, and once more where they do not show one. A service that sends versions of its lists needs no check.
*/

/** The longest wait for what the service has now. */
const maximumMilliseconds = 5000;

/** A list may be older than a change. */
const againMilliseconds = 2000;

/** Limits a read after changes: it ends with the command, and does not hold it up for long. */
export function limitRead({readSignal}: Pick<Context, 'readSignal'>): AbortSignal {
	return AbortSignal.any([readSignal, AbortSignal.timeout(maximumMilliseconds)]);
}

/**
Reads what the service has now, after writes that got no answer. Returns `undefined` if that cannot be read within what is left of
`--timeout` (at most 5 s), or if a signal has ended the command, which then sends no new request.
*/
export async function readAfterwards<Result>(
	context: Context,
	read: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
	context.showProgress('No answer came; looking for the outcome …');
	try {
		return await read(limitRead(context));
	} catch {
		return undefined;
	}
}

/** How a change is looked up in the list that shows it. */
type Expectation = {
	readonly resource: Resource;
	/** Whether the record stays in the list, comes or goes. */
	readonly effect: 'edits' | 'adds' | 'removes';
	/** The name of the record before the change, as the service has it. */
	readonly name: string;
	/** The name that it gets, if it gets another one. */
	readonly newName?: string | undefined;
	readonly find: (list: ResourceList<DecodedRecord>) => Promise<Finding<unknown, unknown>>;
	/** The item if the list does not show the change, such as “lamps is not on”. */
	readonly notYet: string;
	readonly nextStep: string;
};

const noEffect = ({notYet, nextStep}: Expectation, {sentence = `${notYet}.`}: NonNullable<NotDone<unknown>>): SwitchboardError =>
	new SwitchboardError('no-effect', `The service said yes, but ${sentence}`, {nextStep});

const nearNames = ({name, newName = name}: Expectation): readonly string[] => [nearIdentity(name), nearIdentity(newName)];

/** Finds what came with nearly the name of a changed record, and what went, in a list that was read before and after the changes. */
function compareNames(
	before: ResourceList<DecodedRecord> | undefined,
	after: ResourceList<DecodedRecord>,
	changed: readonly Expectation[],
): readonly Noticed[] {
	if (before === undefined || !before.isComplete || !after.isComplete) {
		return [];
	}

	const added = new Set(changed.filter(({effect}) => effect === 'adds').map(({name}) => name));
	const removed = new Set(changed.filter(({effect}) => effect === 'removes').map(({name}) => nearIdentity(name)));
	const near = new Set(changed.flatMap(each => nearNames(each)));
	const known = new Map(before.records.map(record => [record.id, record]));
	const found = new Map(after.records.map(record => [record.id, record]));
	const isInstalled = (record: DecodedRecord | undefined): boolean | undefined =>
		record !== undefined && 'isInstalled' in record ? (record as Records['abilities']).isInstalled : undefined;
	const isGone = (record: DecodedRecord): boolean =>
		!found.has(record.id) || (isInstalled(record) === true && isInstalled(found.get(record.id)) === false);
	const noticed = (kind: Noticed['kind'], record: DecodedRecord): Noticed => ({kind, name: rawName(record), id: record.id});
	return [
		...after.records
			.filter(record => !known.has(record.id) && near.has(nearIdentity(record.name)) && !added.has(rawName(record)))
			.map(record => noticed('appeared', record)),
		...before.records
			.filter(record => isGone(record) && !removed.has(nearIdentity(record.name)))
			.map(record => noticed('disappeared', record)),
	];
}

/** Begins the check of the changes that a command is about to send: create it before the first one is sent. */
export function startCheck(context: Context, service: Service) {
	const before = service.lists();
	const expected = new Map<unknown, Expectation>();
	const lists = new Map<Resource, ResourceList<DecodedRecord>>();
	const unread = new Set<Resource>();
	/** Those that were read after the changes, for another reason. */
	const fresh = new Set<Resource>();

	const isBelieved = (): boolean => Object.values(service.lists()).some(list => list?.version !== undefined);

	/** Returns false if the list is not to be had. */
	const read = async (resource: Resource): Promise<boolean> => {
		if (fresh.delete(resource)) {
			return true;
		}

		try {
			context.showProgress(`Checking the list of ${listNouns[resource]} …`);
			lists.set(resource, await service.client.list(resource, limitRead(context)));
			return true;
		} catch {
			unread.add(resource);
			return false;
		}
	};

	/** Reads the lists that show these items, and returns those items that they show undone. */
	const findUndone = async (items: Iterable<unknown>): Promise<Map<unknown, NonNullable<NotDone<unknown>>>> => {
		const undone = new Map<unknown, NonNullable<NotDone<unknown>>>();
		for (const [resource, same] of Map.groupBy(items, item => expected.get(item)!.resource)) {
			const isRead = await read(resource);
			for (const item of isRead && !isBelieved() ? same : []) {
				const finding = await expected.get(item)!.find(lists.get(resource)!);
				if (finding !== undefined && !('result' in finding)) {
					undone.set(item, finding);
				}
			}
		}

		return undone;
	};

	const checkAll = async (): Promise<Map<unknown, NonNullable<NotDone<unknown>>>> => {
		const undone = await findUndone(expected.keys());
		if (undone.size === 0) {
			return undone;
		}

		try {
			await delay(againMilliseconds, undefined, {signal: context.readSignal});
		} catch {
			for (const item of undone.keys()) {
				unread.add(expected.get(item)!.resource);
			}

			return new Map();
		}

		return findUndone(undone.keys());
	};

	/**
	Tells what came and went, and returns it by the item that it is beside.

	@param told - the records that are said to be gone already.
	*/
	const notice = (told: ReadonlySet<string>): ReadonlyMap<unknown, readonly Noticed[]> => {
		const beside = new Map<unknown, readonly Noticed[]>();
		const items = [...expected.keys()];
		for (const [resource, after] of lists) {
			const noticed = resource === 'agents' ? [] : compareNames(before[resource], after, [...expected.values()]);
			for (const each of noticed.filter(({name}) => !told.has(name))) {
				const item = items.find(one => nearNames(expected.get(one)!).includes(nearIdentity(each.name))) ?? items[0];
				const name = `${cleanName(each.name)} (${each.id})`;
				beside.set(item, [...(beside.get(item) ?? []), each]);
				context.note(
					each.kind === 'appeared'
						? `Warning: ${name} has appeared in the list of ${listNouns[resource]}, named nearly as what was changed.`
						: `Warning: ${name} is no longer ${resource === 'installed' || after.records.some(({id}) => id === each.id) ? 'installed' : `in the list of ${listNouns[resource]}`}.`,
					'warning',
				);
			}
		}

		return beside;
	};

	return {
		/** Expects a change that was answered with 2xx to be shown by a list. */
		expect(item: unknown, expectation: Expectation): void {
			expected.set(item, expectation);
		},
		/** Takes a list that was read after all changes. */
		know(resource: Resource, list: ResourceList<DecodedRecord>): void {
			lists.set(resource, list);
			fresh.add(resource);
		},
		/** Reads the lists, and returns the outcomes as they show them. What cannot be read, or is shown by no list, stays as it was answered. */
		async settle<Item extends {readonly name: string}, Result>(
			outcomes: ReadonlyArray<ChangeOutcome<Item, Result>>,
		): Promise<ReadonlyArray<ChangeOutcome<Item, Result>>> {
			if (expected.size === 0 || isBelieved()) {
				return outcomes;
			}

			const undone = await checkAll();
			if (isBelieved()) {
				return outcomes;
			}

			const beside = notice(
				new Set(outcomes.flatMap(outcome => ('error' in outcome && outcome.error.kind === 'not-found' ? [outcome.item.name] : []))),
			);
			for (const resource of unread) {
				context.note(`Not checked whether it took effect: the list of ${listNouns[resource]} could not be read.`, 'warning');
			}

			return outcomes.map(outcome => {
				const {item} = outcome;
				const finding = undone.get(item) as NotDone<Item>;
				const noticed = beside.get(item);
				const found = {...outcome, ...(noticed !== undefined && {noticed})};
				if (finding === undefined) {
					return found;
				}

				if (finding.isOvertaken) {
					context.note(`${cleanName(expected.get(item)!.name)} was changed again since: the list shows something else.`, 'warning');
				}

				return finding.isOvertaken
					? found
					: {item, seen: finding.seen, error: noEffect(expected.get(item)!, finding), ...(noticed !== undefined && {noticed})};
			});
		},
	};
}
