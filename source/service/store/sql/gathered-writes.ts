import {randomUUID} from 'node:crypto';
import {isOfAll} from '../store-errors.ts';
import {listNames, type ListVersions, type Written} from '../store.ts';
import {type Engine} from './engine.ts';
import {type Database} from './tables.ts';
import {writeAccount} from './write-account.ts';

/** What became of one of several writes: `isChange` is false if everything is as it was. */
export type Outcome<Result> = {readonly result: Result; readonly isChange: boolean} | {readonly error: unknown};

type Asked<Input, Result> = {
	readonly input: Input;
	readonly resolve: (written: Written<Result>) => void;
	readonly reject: (error: unknown) => void;
};

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
	const waiting = new Map<number, Array<Asked<Input, Result>>>();

	const closeGathering = (accountId: number, asked: ReadonlyArray<Asked<Input, Result>>): void => {
		if (waiting.get(accountId) === asked) {
			waiting.delete(accountId);
		}
	};

	const writeAll = async (accountId: number, asked: ReadonlyArray<Asked<Input, Result>>): Promise<void> => {
		try {
			settle(asked, await writeAccount(engine, {accountId, quotaBytes}, async database => {
				closeGathering(accountId, asked);
				return doAll(database, accountId, asked.map(({input}) => input));
			}));
		} catch (error) {
			// It may have failed before the transaction began.
			closeGathering(accountId, asked);
			if (asked.length > 1 && !isOfAll(error)) {
				await Promise.all(asked.map(async each => writeAll(accountId, [each])));
				return;
			}

			for (const {reject} of asked) {
				reject(error);
			}
		}
	};

	return async (accountId: number, input: Input): Promise<Written<Result>> => new Promise((resolve, reject) => {
		const asked = {input, resolve, reject};
		const others = waiting.get(accountId);
		if (others !== undefined && others.length < maximumGathered) {
			others.push(asked);
			return;
		}

		const started = [asked];
		waiting.set(accountId, started);
		void writeAll(accountId, started);
	});
};
