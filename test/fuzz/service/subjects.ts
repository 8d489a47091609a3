import {Buffer} from 'node:buffer';
import {readZip} from '../../../source/interface/ability-package/read-zip.ts';
import {type Files, formOf, zipOf} from '../../service/sample-forms.ts';
import {type JsonRecord, paths} from '../../service/running-service.ts';
import type {Subject} from './writer.ts';

/** Sends a request to whichever server this client uses now. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<Response>;

export async function uploadFormOf(name: string, number: number, soundBytes = 0): Promise<FormData> {
	return formOf({
		zip_file: await zipOf(inFolder(codeOf(number, soundBytes))),
		name,
		category: 'skill',
		trigger_words: `lamps number ${'x'.repeat(number % 50)}`,
	});
}

const inFolder = (files: Files): Files => Object.fromEntries(Object.entries(files).map(([path, content]) => [`lamps/${path}`, content]));

/**
Several rows, and some kilobytes in each.

@param soundBytes - the size of two more files.
*/
const codeOf = (number: number, soundBytes = 0): Files => ({
	'main.py': `number = ${number}\n`.repeat(300),
	'__init__.py': '',
	'notes.md': `version ${number}`,
	'one.wav': String(number % 10).repeat(soundBytes),
	'two.wav': String(number % 7).repeat(soundBytes),
});

type Switch = {readonly enabled: boolean; readonly words: readonly string[]};

/** A switch and its phrases in one request: both are there, or neither. */
export function switchSubject(ask: Ask, id: unknown): Subject<Switch> {
	let number = 0;
	return {
		title: 'a switched ability',
		next: ({enabled}) => ({enabled: !enabled, words: [`phrase number ${++number}`]}),
		write: async ({enabled, words}) => statusOf(ask('PUT', paths.editInstalled(id), {enabled, trigger_words: words})),
		async read() {
			const record = (await listOf(ask, paths.installed)).find(installed => installed['id'] === id);
			return {enabled: record?.['enabled'] as boolean, words: record?.['trigger_words'] as readonly string[]};
		},
	};
}

async function statusOf(answer: Promise<Response>): Promise<number> {
	const response = await answer;
	// A write is answered once the whole answer is here.
	await response.arrayBuffer();
	return response.status;
}

async function listOf(ask: Ask, path: string): Promise<readonly JsonRecord[]> {
	const response = await ask('GET', path);
	if (response.status !== 200) {
		throw new Error(`GET ${path} answered ${response.status}`);
	}

	return (await response.json()) as readonly JsonRecord[];
}

type Agent = {readonly description: string; readonly ties: readonly unknown[]};

/** A prompt and the rows that tie abilities to its agent. */
export function agentSubject(ask: Ask, id: unknown, abilityIds: readonly unknown[]): Subject<Agent> {
	let number = 0;
	return {
		title: 'an edited agent',
		next: ({ties}) => ({description: `prompt ${++number} `.repeat(200), ties: ties.length === 0 ? abilityIds : []}),
		write: async ({description, ties}) =>
			statusOf(ask('PUT', paths.editAgent, {personality_id: id, description, matching_capabilities: ties})),
		async read() {
			const record = (await listOf(ask, paths.agents)).find(agent => agent['id'] === id);
			return {description: record?.['description'] as string, ties: record?.['matching_capabilities'] as readonly unknown[]};
		},
	};
}

/** What an ability is made of: its record, its files, its installed record. */
type Uploaded = {readonly number: number; readonly files: Readonly<Record<string, string>>; readonly isInstalled: boolean} | undefined;

/** An ability that is uploaded and deleted again; a large one is written in several steps. */
export function uploadSubject(ask: Ask, name: string, soundBytes: number): Subject<Uploaded> {
	let number = 0;
	const find = async (): Promise<JsonRecord | undefined> => (await listOf(ask, paths.abilities)).find(ability => ability['name'] === name);
	return {
		title: 'an uploaded or deleted ability',
		next: current => (current === undefined ? {number: ++number, files: textOf(codeOf(number, soundBytes)), isInstalled: true} : undefined),
		async write(value) {
			return value === undefined
				? statusOf(ask('POST', paths.deleteAbility((await find())?.['id'])))
				: statusOf(ask('POST', paths.upload, await uploadFormOf(name, value.number, soundBytes)));
		},
		async read() {
			const record = await find();
			if (record === undefined) {
				return undefined;
			}

			const files = await sourceOf(ask, record['id']);
			const isInstalled = (await listOf(ask, paths.installed)).some(installed => installed['capability_id'] === record['id']);
			return {number: Number(/\d+/.exec(files['notes.md'] ?? '')), files, isInstalled};
		},
	};
}

const textOf = (files: Files): Readonly<Record<string, string>> =>
	Object.fromEntries(Object.entries(files).map(([path, content]) => [path, Buffer.from(content as string).toString()]));

async function sourceOf(ask: Ask, id: unknown): Promise<Readonly<Record<string, string>>> {
	const response = await ask('GET', paths.source(id));
	const {files} = await readZip(Buffer.from(await response.arrayBuffer()));
	return textOf(Object.fromEntries(files.map(({path, bytes}) => [path, bytes])));
}

type Code = {readonly version: number; readonly files: Readonly<Record<string, string>>};

/** The code of an ability, with a new version each time. */
export function codeSubject(ask: Ask, abilityId: unknown, releaseId: unknown): Subject<Code> {
	return {
		title: 'released code',
		next: ({version}) => ({version: version + 1, files: textOf(codeOf(version + 1))}),
		write: async ({files}) =>
			statusOf(ask('POST', paths.releaseCode(releaseId), formOf({zip_file: await zipOf(files), committed: 'true'}))),
		async read() {
			const response = await ask('GET', paths.ability(abilityId));
			const ability = (await response.json()) as {readonly capability_versions: ReadonlyArray<{readonly version: string}>};
			return {version: Number(ability.capability_versions[0]?.version), files: await sourceOf(ask, abilityId)};
		},
	};
}

/** An ability that is installed and uninstalled. */
export function installSubject(ask: Ask, abilityId: unknown): Subject<boolean> {
	return {
		title: 'an installed or uninstalled ability',
		next: isInstalled => !isInstalled,
		write: async isInstalled => statusOf(isInstalled ? ask('GET', paths.install(abilityId)) : ask('DELETE', paths.uninstall(abilityId))),
		read: async () => (await listOf(ask, paths.installed)).some(installed => installed['capability_id'] === abilityId),
	};
}
