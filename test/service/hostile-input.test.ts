import {assert, test} from '../helpers/node.ts';
import {cpuUsage} from 'node:process';
import {rawZip} from '../interface/ability-package/raw-zip.ts';
import {paths, startTestService, type TestService, uploadForm} from './kit.ts';

/** Two marks of different classes: sorting them takes `normalize` quadratic time. */
const marks = (count: number): string => '\u{301}\u{323}'.repeat(count / 2);

type Input = (service: TestService, text: string) => Promise<number>;

const uploadFiles = async (service: TestService, names: readonly string[]): Promise<number> => {
	const zip = rawZip(['lamps/main.py', 'lamps/__init__.py', ...names].map(name => ({name})));
	const {status} = await service.ask('POST', paths.upload, {body: await uploadForm({zip_file: zip})});
	return status;
};

/** Each with a number of marks that a request can hold. */
const inputs: ReadonlyArray<readonly [title: string, send: Input, markCount: number]> = [
	[
		'names of files in a zip',
		async (service, text) =>
			uploadFiles(
				service,
				Array.from({length: 18}, (_, index) => `lamps/${index}${text}`),
			),
		20_000,
	],
	[
		'names of folders in a zip',
		async (service, text) =>
			uploadFiles(
				service,
				Array.from({length: 18}, (_, index) => `lamps/${index}${text}/`),
			),
		20_000,
	],
	[
		'the name of an agent',
		async (service, text) => {
			const [agent] = await service.read(paths.agents);
			const {status} = await service.ask('PUT', '/api/personalities/edit-personality/', {body: {personality_id: agent!['id'], name: text}});
			return status;
		},
		200_000,
	],
	[
		'a trigger phrase',
		async (service, text) => {
			const [installed] = await service.read(paths.installed);
			const {status} = await service.ask('PUT', paths.editInstalled(installed!['id']), {body: {enabled: true, trigger_words: [text]}});
			return status;
		},
		200_000,
	],
];

test('texts of marks alone are refused in no more than linear time', async () => {
	await using service = await startTestService();
	for (const [title, send, markCount] of inputs) {
		const measure = async (length: number): Promise<number> => {
			const before = cpuUsage();
			assert.equal(await send(service, marks(length)), 400);
			return cpuUsage(before).user / 1000;
		};

		await measure(markCount / 10);
		const short = await measure(markCount / 10);
		const long = await measure(markCount);
		// Quadratic time was several seconds.
		assert.ok(long < (short + 50) * 10, `${title}: ${short} ms, then ${long} ms for ten times the text`);
	}
});
