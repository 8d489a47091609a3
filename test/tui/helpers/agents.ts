import {path, process, readFileSync, type TestContext, writeFileSync} from '../../helpers/node.ts';
import {isRecord} from '../../helpers/live-like/home.ts';
import type {LiveLikeService} from '../../helpers/live-like-service.ts';
import type {RecordedRequest, RecordingServer} from '../../helpers/recorded-requests.ts';
import {formTexts, readForm} from '../../helpers/request-bodies.ts';
import {setVariables} from '../../helpers/set-variables.ts';
import {startService} from '../../../source/service/service.ts';
import {temporaryFolders, temporaryFolder} from '../../helpers/temporary-folder.ts';

export function isEdit({method}: RecordedRequest): boolean {
	return method === 'PUT';
}

export function isAgentList({path: requestPath}: RecordedRequest): boolean {
	return requestPath.endsWith('/get-all-personalities/');
}

type Fields = Readonly<Record<string, readonly string[]>>;

/** The fields of the edits that the service was asked for, each of which came as a form. */
export async function editsOf({requests}: Pick<RecordingServer, 'requests'>): Promise<readonly Fields[]> {
	return Promise.all(
		requests
			.filter(request => isEdit(request))
			.map(async request => {
				const form = await readForm(request);
				if (form === undefined) {
					throw new Error(`An edit came as ${request.headers['content-type']}`);
				}

				return formTexts(form);
			}),
	);
}

/** What the edits put into one field, each the values that the form has of it. */
export async function editedTexts(
	service: Pick<RecordingServer, 'requests'>,
	field: string,
): Promise<ReadonlyArray<readonly string[] | undefined>> {
	return (await editsOf(service)).map(fields => fields[field]);
}

/** An agent as the service keeps it. */
export function storedAgent({agents}: LiveLikeService, id: number): Record<string, unknown> {
	return agents.filter(entry => isRecord(entry)).find(entry => entry['id'] === id)!;
}

export type EditorBench = {
	/** Where the texts lie that are edited. */
	readonly promptFolder: string;
	/** What the editors of this test wrote into `report`. */
	reports(): readonly string[];
	/**
	Makes a small program the person's editor.

	@param code - JavaScript; `file` is the path that it was started with, `read()`, `write(text)` and `report(text)` are there.
	*/
	use(code: string): void;
	/** Puts a command into one of the variables that name the editor. */
	name(command: string, variable: 'VISUAL' | 'EDITOR'): void;
};

/** A place for editors and for what they edit, of which nothing is left after the test. */
export function openEditorBench(t: TestContext): EditorBench {
	const folder = temporaryFolder();
	setVariables(t, {XDG_CONFIG_HOME: path.join(folder, 'config'), VISUAL: undefined, EDITOR: undefined});
	const reportFile = path.join(folder, 'reports.json');
	let editorCount = 0;
	return {
		promptFolder: path.join(folder, 'config', 'switchboard', 'prompts'),
		reports() {
			try {
				return readFileSync(reportFile, 'utf8')
					.trim()
					.split('\n')
					.map(line => JSON.parse(line) as string);
			} catch {
				return [];
			}
		},
		name(command, variable) {
			process.env[variable] = command;
		},
		use(code) {
			const script = path.join(folder, `editor ${++editorCount}.cjs`);
			writeFileSync(
				script,
				String.raw`
				const fs = require('node:fs');
				const path = require('node:path');
				const file = process.argv.at(-1);
				const read = () => fs.readFileSync(file, 'utf8');
				const write = text => fs.writeFileSync(file, text);
				const report = text => fs.appendFileSync(${JSON.stringify(reportFile)}, JSON.stringify(String(text)) + '\n');
				${code}
			`,
			);
			process.env['EDITOR'] = `'${process.execPath}' '${script}' --wait`;
		},
	};
}

/** The bundled service with its sample home, closed after the test. */
export async function startSampleService(t: TestContext): Promise<{readonly baseAddress: string; readonly apiKey: string}> {
	const apiKey = 'sb_test_0123456789abcdef0123456789abcdef';
	const service = await startService({location: temporaryFolders().dataFolder, ephemeralKey: apiKey, isSampleWanted: true});
	t.after(async () => service.close());
	return {baseAddress: service.baseAddress, apiKey};
}

type Listed = Readonly<Record<string, unknown>> & {readonly id: number; readonly name: string};

/** A list of the bundled service, asked for past the program. */
export async function readSampleList(
	{baseAddress, apiKey}: {readonly baseAddress: string; readonly apiKey: string},
	list: 'agents' | 'abilities',
): Promise<readonly Listed[]> {
	const paths = {agents: '/api/personalities/get-all-personalities/', abilities: '/api/capabilities/get-all-capability/'};
	const response = await fetch(baseAddress + paths[list], {headers: {'x-api-key': apiKey}});
	return (await response.json()) as readonly Listed[];
}
