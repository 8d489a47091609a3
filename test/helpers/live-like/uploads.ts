import {Buffer} from 'node:buffer';
import {type Answer, jsonAnswer} from '../answers.ts';
import type {RecordedRequest} from '../recorded-requests.ts';
import {formTexts, readForm} from '../request-bodies.ts';
import {abilityRecord, findRecord, install, type LiveLikeHome, nextId, type SourceFile} from './home.ts';
import {unzip, withoutTopFolder} from './zips.ts';

type Refuse = (status: number, message: string) => Answer;

const requiredFiles = (category: string): readonly string[] =>
	category === 'background_daemon' ? ['main.py', '__init__.py', 'background.py'] : ['main.py', '__init__.py'];

const complainAboutTrigger = (phrase: string): string | undefined => {
	if (!/^[\p{Letter}\p{Number} '-]+$/u.test(phrase)) {
		return `trigger_words: “${phrase}” has characters that are not allowed`;
	}

	return (phrase.match(/\p{Letter}/gu)?.length ?? 0) < 4 ? `trigger_words: “${phrase}” needs at least four letters` : undefined;
};

const complainAboutFields = (name: string, triggerWords: readonly string[]): string | undefined =>
	/^[a-z][\da-z]*$/i.test(name)
		? triggerWords.map(phrase => complainAboutTrigger(phrase)).find(complaint => complaint !== undefined)
		: 'name: a letter first, then letters and digits only';

const isImage = (bytes: Uint8Array): boolean => {
	const start = Buffer.from(bytes.subarray(0, 4)).toString('hex');
	return start === '89504e47' || start.startsWith('ffd8ff');
};

const readZip = async (file: unknown): Promise<readonly SourceFile[] | undefined> => {
	if (!(file instanceof File)) {
		return undefined;
	}

	try {
		return await unzip(await file.bytes());
	} catch {
		return undefined;
	}
};

const readImage = async (file: unknown): Promise<Uint8Array | undefined> => (file instanceof File ? file.bytes() : undefined);

/** Stores an upload (`docs/interface.md`, Upload). */
export const upload = async (home: LiveLikeHome, request: RecordedRequest, refuse: Refuse): Promise<Answer> => {
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

	const triggerWords = (texts['trigger_words'] ?? [])
		.flatMap(list => list.split(','))
		.map(word => word.trim())
		.filter(word => word !== '');
	const complaint = complainAboutFields(name, triggerWords);
	if (complaint !== undefined) {
		return refuse(400, complaint);
	}

	const files = withoutTopFolder((await readZip(form.get('zip_file'))) ?? []);
	const missing = requiredFiles(category).find(path => !files?.some(file => file.path === path));
	if (files === undefined || missing !== undefined) {
		return refuse(400, `zip_file: one top-level folder with ${missing ?? 'main.py'} is needed`);
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
};

/** Replaces the files of the ability that the release belongs to; here the files lie at the root of the zip. */
export const replaceCode = async (home: LiveLikeHome, releaseId: number, request: RecordedRequest, refuse: Refuse): Promise<Answer> => {
	const form = await readForm(request);
	if (form === undefined) {
		return refuse(415, 'Unsupported media type');
	}

	const abilityId = releaseId - 9000;
	if (findRecord(home.abilities, abilityId) === undefined) {
		return refuse(404, 'No such release');
	}

	const files = await readZip(form.get('zip_file'));
	if (files === undefined || !form.has('committed') || !form.has('commit_message')) {
		return refuse(400, 'zip_file, committed and commit_message are required');
	}

	if (files.every(({path}) => path !== 'main.py')) {
		return refuse(400, 'zip_file: main.py is needed at its root');
	}

	home.sources.set(abilityId, files);
	return jsonAnswer({detail: 'Code validated'});
};
