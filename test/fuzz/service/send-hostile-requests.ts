import {assert, assertNone, existsSync, fork, once, path} from '../../helpers/node.ts';
import {readZip} from '../../../source/interface/ability-package/read-zip.ts';
import {exchange, type RawAnswer} from '../../helpers/raw-http.ts';
import {temporaryDataFolder} from '../../helpers/temporary-folder.ts';
import type {Counts, Random} from '../targets.ts';
import {readOperations} from '../../helpers/openapi-operations.ts';
import {checkDatabase} from './check-database.ts';
import {type HostileRequest, randomRequest} from './hostile-requests.ts';
import type {Ids} from './hostile-values.ts';

const serveChild = path.resolve(import.meta.dirname, '../../service/serve-child.ts');

const key = 'sb_fuzz';

const listPaths = [
	'/api/personalities/get-all-personalities/',
	'/api/capabilities/get-all-capability/',
	'/api/capabilities/get-installed-capabilities/',
];

/** A refusal that comes before so much was taken closes the connection, and may get lost with it. */
const unreadBytes = 256 * 1024;

/** So many requests later, some of the ids no longer exist. */
const requestsPerReading = 25;

/** Sends hostile requests to a service in a process of its own, made from its own OpenAPI document. */
export async function sendHostileRequests(random: Random, count: number): Promise<Counts> {
	const counts = {'hostile requests': count, accepted: 0, refused: 0};
	const folder = temporaryDataFolder();
	const child = fork(serveChild, [folder, key]);
	try {
		const [baseAddress] = (await once(child, 'message')) as [string];
		const operations = await readOperations(baseAddress);
		let ids: Ids = {};
		for (let sent = 0; sent < count; sent++) {
			ids = sent % requestsPerReading === 0 ? await readIds(baseAddress) : ids;
			const request = randomRequest(random, operations, {key, ids});
			try {
				const answers = await exchange(baseAddress, request.bytes, request);
				assert.ok(answers.length > 0 || request.isCutOff || request.bytes.length > unreadBytes, 'no answer');
				for (const answer of answers) {
					counts[answer.status < 400 ? 'accepted' : 'refused']++;
					checkAnswer(answer, request.bytes.subarray(0, 5).toString() === 'HEAD ');
				}
			} catch (error) {
				throw new Error(`Request ${sent}: ${describe(request)}`, {cause: error});
			}
		}

		await checkStored(baseAddress);
		assert.equal(existsSync(path.join(folder, 'service.log')), false, 'the service logged an internal error');
	} finally {
		child.kill('SIGKILL');
		await once(child, 'exit');
	}

	checkDatabase(folder);
	return counts;
}

type Listed = ReadonlyArray<{readonly id: number; readonly capability_versions?: ReadonlyArray<{readonly id: number}>}>;

async function readIds(baseAddress: string): Promise<Ids> {
	const [agents, abilities, installed] = await Promise.all(listPaths.map(async where => read<Listed>(baseAddress, where)));
	const idsOf = (records: Listed = []): readonly number[] => records.map(({id}) => id);
	return {
		personality_id: idsOf(agents),
		capability_id: idsOf(abilities),
		installed_cap_id: idsOf(installed),
		release_id: idsOf(abilities?.flatMap(({capability_versions = []}) => capability_versions)),
	};
}

async function read<Body>(baseAddress: string, where: string): Promise<Body> {
	const response = await fetch(baseAddress + where, {headers: {'x-api-key': key}});
	assert.equal(response.status, 200, where);
	return (await response.json()) as Body;
}

/** What every answer must be, whatever was asked. */
function checkAnswer({status, headers, body}: RawAnswer, isHead: boolean): void {
	assert.equal(status < 500 || status === 507, true, `answered ${status}: ${body.toString()}`);
	if (status < 400 || isHead) {
		return;
	}

	assert.match(
		headers['content-type'] ?? '',
		/^application\/json/,
		`answered ${status} with another content type: ${body.subarray(0, 500).toString()}`,
	);
	const {detail, ...others} = JSON.parse(body.toString()) as Record<string, unknown>;
	// One short line of text, and at most a code beside it.
	assert.match(String(detail), /^[^\p{Control}\p{Surrogate}]{1,1000}$/u, `answered ${status}: ${body.subarray(0, 500).toString()}`);
	assert.equal(typeof detail, 'string');
	assertNone(Object.keys(others), name => name !== 'code');
}

const describe = ({bytes}: HostileRequest): string => JSON.stringify(bytes.subarray(0, 1500).toString('latin1'));

/**
Returns a text that cannot have been stored as it was sent, with the text around it. The characters of an escape, as in JSON in a form, are a
text like any other.
*/
export function findChangedText(records: unknown): string | undefined {
	const text = JSON.stringify(records).replaceAll(String.raw`\\`, '');
	return /.{0,40}(?:\\u0000|\\ud[89a-f]..|\u{FFFD}).{0,40}/iu.exec(text)?.[0];
}

/** What was stored is what was sent, or it was refused: a replacement character tells that it was changed instead. */
async function checkStored(baseAddress: string): Promise<void> {
	for (const where of listPaths) {
		const changed = findChangedText(await read(baseAddress, where));
		assert.equal(changed, undefined, 'a stored text is not what was sent');
	}

	for (const {id} of await read<Listed>(baseAddress, listPaths[1]!)) {
		const source = await fetch(`${baseAddress}/api/capabilities/get/template-file/${id}/`, {headers: {'x-api-key': key}});
		assert.equal(source.status, 200);
		await readZip(new Uint8Array(await source.arrayBuffer()));
	}
}
