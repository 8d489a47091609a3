import {Buffer} from 'node:buffer';
import {type Accounts} from '../store.ts';
import {type Engine} from './engine.ts';
import {padded} from './padded.ts';
import {type Database} from './tables.ts';
import {toVersions, versionColumns} from './versions.ts';

type Found = Awaited<ReturnType<Accounts['findKey']>>;

type Asked = {
	readonly hash: Uint8Array;
	readonly answers: Array<PromiseWithResolvers<Found>>;
};

const maximumHashes = 128;

const selectKeys = async (database: Database, hashes: readonly Uint8Array[]) => database
	.selectFrom('api_keys')
	.innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
	.select(['api_keys.id', 'api_keys.hash', 'accounts.id as account_id', 'accounts.name', ...versionColumns])
	.where('hash', 'in', padded(hashes))
	.execute();

const nameOf = (hash: Uint8Array): string => Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');

/**
Finds keys by their hashes. All that are asked for in one turn of the event loop are looked up by one query, which begins after
each of them was asked for: what it finds is never older than the question.
*/
export const createFindKey = (engine: Engine): Accounts['findKey'] => {
	let asked = new Map<string, Asked>();

	const answer = async (questions: readonly Asked[]): Promise<void> => {
		try {
			const rows = await engine.query(async database => selectKeys(database, questions.map(({hash}) => hash)));
			const byHash = new Map(rows.map(row => [nameOf(row.hash), row]));
			for (const {hash, answers} of questions) {
				const row = byHash.get(nameOf(hash));
				const found = row && {id: row.id, hash: row.hash, account: {id: row.account_id, name: row.name, versions: toVersions(row)}};
				for (const {resolve} of answers) {
					resolve(found);
				}
			}
		} catch (error) {
			for (const {reject} of questions.flatMap(({answers}) => answers)) {
				reject(error);
			}
		}
	};

	const answerAll = (): void => {
		const questions = [...asked.values()];
		asked = new Map();
		for (let start = 0; start < questions.length; start += maximumHashes) {
			void answer(questions.slice(start, start + maximumHashes));
		}
	};

	return async hash => {
		const waiting = Promise.withResolvers<Found>();
		const name = nameOf(hash);
		const question = asked.get(name);
		if (question === undefined) {
			if (asked.size === 0) {
				setImmediate(answerAll);
			}

			asked.set(name, {hash, answers: [waiting]});
		} else {
			question.answers.push(waiting);
		}

		return waiting.promise;
	};
};
