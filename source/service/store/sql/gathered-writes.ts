import {randomUUID} from 'node:crypto';
import {isOfAll} from '../store-errors.ts';
import {
	listNames,
	type ListVersions,
	type Writer,
	type Written,
} from '../store.ts';
import {type Engine} from './engine.ts';
import {type Database} from './tables.ts';
import {accountOf, writeAccount} from './write-account.ts';

/** What became of one of several writes: `isChange` is false if everything is as it was. */
export type Outcome<Result> = {readonly result: Result; readonly isChange: boolean} | {readonly error: unknown};

type Asked<Input, Result> = {
	readonly input: Input;
	readonly keyIds: ReadonlySet<number>;
	readonly resolve: (written: Written<Result>) => void;
	readonly reject: (error: unknown) => void;
};

type Gathering<Input, Result> = {
	readonly asked: Array<Asked<Input, Result>>;
	/** Of all of them. */
	readonly keyIds: Set<number>;
};

const gather = <Input, Result>(first: Asked<Input, Result>): Gathering<Input, Result> => ({asked: [first], keyIds: new Set(first.keyIds)});

const maximumGathered = 128;

const newVersions = (versions: Partial<ListVersions>): Partial<ListVersions> =>
	Object.fromEntries(listNames.filter(name => versions[name] !== undefined).map(name => [name, randomUUID().replaceAll('-', '')]));

/**
Gives each of the changes that were stored as one a version of its own, the last one that which is stored. So whoever made only
some of them can tell that there were others.
*/
const settle = <Result>(asked: ReadonlyArray<Asked<unknown, Result>>, {result: outcomes, versions: last, former}: Written<ReadonlyArray<Outcome<Result>>>): void => {
	const lastChange = outcomes.findLastIndex(outcome => 'isChange' in outcome && outcome.isChange);
	let before = former;
	for (const [index, {resolve, reject}] of asked.entries()) {
		const outcome = outcomes[index]!;
		if ('error' in outcome) {
			reject(outcome.error);
			continue;
		}

		const {result, isChange} = outcome;
		const versions = isChange ? (index === lastChange ? last : newVersions(last)) : {};
		resolve({result, versions, former: before});
		before = {...before, ...versions};
	}
};

/**
Does the writes of one kind that wait for the same account together, in one round through the database. They are done one by one
if together they would be refused.

@param doAll - does several, each as if those before it were done. It may be called again.
*/
export const createGatheredWrites = <Input, Result>(
	engine: Engine,
	quotaBytes: number | undefined,
	doAll: (database: Database, accountId: number, inputs: readonly Input[]) => Promise<ReadonlyArray<Outcome<Result>>>,
) => {
	/** What the next transaction of each account will do. */
	const waiting = new Map<number, Gathering<Input, Result>>();

	const closeGathering = (accountId: number, gathering: Gathering<Input, Result>): void => {
		if (waiting.get(accountId) === gathering) {
			waiting.delete(accountId);
		}
	};

	const writeAll = async (accountId: number, gathering: Gathering<Input, Result>): Promise<void> => {
		const {asked, keyIds} = gathering;
		try {
			settle(asked, await writeAccount(engine, {accountId, keyIds, quotaBytes}, async database => {
				closeGathering(accountId, gathering);
				return doAll(database, accountId, asked.map(({input}) => input));
			}));
		} catch (error) {
			// It may have failed before the transaction began.
			closeGathering(accountId, gathering);
			if (asked.length > 1 && !isOfAll(error)) {
				await Promise.all(asked.map(async each => writeAll(accountId, gather(each))));
				return;
			}

			for (const {reject} of asked) {
				reject(error);
			}
		}
	};

	return async (writer: Writer, input: Input): Promise<Written<Result>> => new Promise((resolve, reject) => {
		const {accountId, keyIds} = accountOf(writer);
		const asked = {
			input, keyIds, resolve, reject,
		};
		const gathering = waiting.get(accountId);
		if (gathering !== undefined && gathering.asked.length < maximumGathered) {
			gathering.asked.push(asked);
			for (const keyId of keyIds) {
				gathering.keyIds.add(keyId);
			}

			return;
		}

		const started = gather(asked);
		waiting.set(accountId, started);
		void writeAll(accountId, started);
	});
};
