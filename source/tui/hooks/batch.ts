import pMap from 'p-map';
import {toSwitchboardError, type SwitchboardError} from '../../interface/errors.ts';
import {type Resource} from '../../interface/records.ts';
import {readListsAgain} from './list-updates.ts';
import {type ServiceSession} from './service-session.ts';
import {type MemoryKey} from './session-memory.ts';
import {runWrite} from './writes.ts';

/** A record that is written to. */
export type BatchItem = {readonly id: number; readonly name: string};

/** The same write to one or several records. */
export type BatchWrite = {
	/** Tells these writes from others, such as `delete-ability`. */
	readonly kind: string;
	/** The lists that show its outcome. */
	readonly shownBy: readonly Resource[];
	/** A sentence for a person who quits before the answer arrives. */
	unknownText(name: string): string;
	write(session: ServiceSession, item: BatchItem): Promise<void>;
};

export type BatchOutcome<Item> = {
	readonly item: Item;
	/** `undefined` if it was done. */
	readonly error: SwitchboardError | undefined;
};

/** Enough to hide the latency of the network, few enough not to burden the service. */
const concurrency = 4;

/** The writes under way, and those that wait for their turn. */
const writesInBatches: MemoryKey<Set<string>> = {create: () => new Set()};

const keyOf = ({kind}: BatchWrite, {id}: BatchItem): string => `${kind} ${id}`;

/** True while this write to a record is under way, or waits for its turn. */
export const isInBatch = (session: ServiceSession, batch: BatchWrite, item: BatchItem): boolean => session.memory.get(writesInBatches).has(keyOf(batch, item));

/** Writes to each record, a few at a time and on past failures, then reads the lists again. Never rejects. */
export const runBatch = async <Item extends BatchItem>(session: ServiceSession, batch: BatchWrite, items: readonly Item[], onEach: (outcome: BatchOutcome<Item>) => void): Promise<void> => {
	const keys = session.memory.get(writesInBatches);
	for (const item of items) {
		keys.add(keyOf(batch, item));
	}

	const write = async (item: Item): Promise<BatchOutcome<Item>> => {
		try {
			await runWrite(session, {key: [batch.kind, item.id], unknown: batch.unknownText(item.name)}, async () => batch.write(session, item));
			return {item, error: undefined};
		} catch (error) {
			return {item, error: toSwitchboardError(error)};
		} finally {
			keys.delete(keyOf(batch, item));
		}
	};

	// A write begins when its item is taken, the first one at once: quitting right after has to wait for it.
	await pMap(items.values().map(write), onEach, {concurrency});
	await readListsAgain(session, batch.shownBy);
};
