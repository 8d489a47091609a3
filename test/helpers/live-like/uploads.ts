import {Buffer} from 'node:buffer';
import {type Answer, jsonAnswer} from '../answers.ts';
import type {RecordedRequest} from '../recorded-requests.ts';
import {formTexts, readForm} from '../request-bodies.ts';
import {abilityRecord, findRecord, install, isRecord, type LiveLikeHome, nextId, type SourceFile} from './home.ts';
import {unzip, withoutTopFolder} from './zips.ts';

/** Why code is refused: in the words that were seen (`docs/interface.md`). */
export function complainAboutCode(category: string, files: readonly SourceFile[]): string | undefined {
	const code = files.filter(({path}) => path.endsWith('.py')).map(({bytes}) => Buffer.from(bytes).toString());
	const missing = requiredFiles(category).find(path => !files.some(file => file.path === path));
	const forbidden = code
		.map(text => /^[ \t]*(?:import|from)[ \t]+(?<module>urllib|http|socket|trace)\b/m.exec(text)?.groups?.['module'])
		.find(module => module !== undefined);
	if (missing !== undefined) {
		return `zip_file: ${missing} is missing`;
	}

	return forbidden === undefined
		? code.some(text => /\.__(?:globals|subclasses|builtins|code|mro)__\b/.test(text))
			? 'Suspicious dunder attribute access'
			: undefined
		: `Forbidden module import: ${forbidden}`;
}

const requiredFiles = (category: string): readonly string[] =>
	category === 'background_daemon' ? ['__init__.py', 'background.py'] : ['main.py', '__init__.py'];

export type NameOptions = {readonly areNamesUnique: boolean};

/** Names may have any form. */
export function complainAboutFields(
	{abilities}: LiveLikeHome,
	{id, name, triggerWords}: {readonly id?: unknown; readonly name: string; readonly triggerWords: readonly string[]},
	{areNamesUnique}: NameOptions,
): string | undefined {
	return areNamesUnique && abilities.filter(entry => isRecord(entry)).some(each => each['name'] === name && each['id'] !== id)
		? 'Ability with same name already exists'
		: triggerWords.map(phrase => complainAboutTrigger(phrase)).find(complaint => complaint !== undefined);
}

function complainAboutTrigger(phrase: string): string | undefined {
	if (!/^[\p{Letter}\p{Number} '-]+$/u.test(phrase)) {
		return `trigger_words: “${phrase}” has characters that are not allowed`;
	}

	return (phrase.match(/\p{Letter}/gu)?.length ?? 0) < 4 ? `trigger_words: “${phrase}” needs at least four letters` : undefined;
}

/** The phrases of a form, which come with commas, in one field or in several. */
export function phrasesIn(fields: readonly string[] = []): readonly string[] {
	return fields
		.flatMap(list => list.split(','))
		.map(word => word.trim())
		.filter(word => word !== '');
}

export async function readZip(file: unknown): Promise<readonly SourceFile[] | undefined> {
	if (!(file instanceof File)) {
		return undefined;
	}

	try {
		return await unzip(await file.bytes());
	} catch {
		return undefined;
	}
}

/** The keys of other services that are linked to an ability, where a form names them. */
export function keysIn(texts: Readonly<Record<string, readonly string[]>>): {readonly selected_keys?: unknown} {
	const keys = texts['selected_keys']?.[0];
	return keys === undefined ? {} : {selected_keys: JSON.parse(keys) as unknown};
}

type Refuse = (status: number, message: string) => Answer;

/** Stores an upload (`docs/interface.md`, Upload). */
export async function upload(home: LiveLikeHome, request: RecordedRequest, options: NameOptions, refuse: Refuse): Promise<Answer> {
	const form = await readForm(request);
	if (form === undefined) {
		return refuse(415, 'Unsupported media type');
	}

	const texts = formTexts(form);
	const [name = ''] = texts['name'] ?? [];
	const [category = ''] = texts['category'] ?? [];
	if (name === '' || category === '' || !form.has('zip_file')) {
		return refuse(400, 'name, category and zip_file are required');
	}

	const triggerWords = phrasesIn(texts['trigger_words']);
	const complaint = complainAboutFields(home, {name, triggerWords}, options);
	if (complaint !== undefined) {
		return refuse(400, complaint);
	}

	const files = withoutTopFolder((await readZip(form.get('zip_file'))) ?? []);
	const codeComplaint = files === undefined ? 'Expected a single top-level directory in the zip' : complainAboutCode(category, files);
	if (files === undefined || codeComplaint !== undefined) {
		return refuse(400, codeComplaint!);
	}

	const image = await readImage(form.get('image_file'));
	if (image !== undefined && !isImage(image)) {
		return refuse(400, 'image_file: png or jpeg only');
	}

	const agentId = texts['personality_id']?.[0];
	if (agentId !== undefined && findRecord(home.agents, Number(agentId)) === undefined) {
		return refuse(404, 'personality_id: no such personality');
	}

	const id = nextId(home.abilities);
	const ability = {
		...abilityRecord(id, name, category, triggerWords, false),
		description: texts['description']?.[0] ?? null,
		is_approved: false,
		...keysIn(texts),
		last_updated: new Date().toISOString(),
	};
	home.abilities.push(ability);
	home.sources.set(id, files);
	if (image !== undefined) {
		home.images.set(id, image);
	}

	if (agentId !== undefined) {
		install(home, ability);
		home.ties.set(Number(agentId), [...(home.ties.get(Number(agentId)) ?? []), id]);
	}

	return jsonAnswer({capability_id: id, detail: 'Capability uploaded'}, 201);
}

const readImage = async (file: unknown): Promise<Uint8Array | undefined> => (file instanceof File ? file.bytes() : undefined);

function isImage(bytes: Uint8Array): boolean {
	const start = Buffer.from(bytes.subarray(0, 4)).toString('hex');
	return start === '89504e47' || start.startsWith('ffd8ff');
}
