import {type Answer, jsonAnswer} from '../answers.ts';
import type {RecordedRequest} from '../recorded-requests.ts';
import {formTexts, readForm, readJsonObject} from '../request-bodies.ts';
import {findInstalledOf, findRecord, install, isRecord, type LiveLikeHome} from './home.ts';
import {complainAboutFields, keysIn, type NameOptions, phrasesIn} from './uploads.ts';

/** Fields that a PUT leaves as they are. */
const ownFields = new Set(['id', 'last_updated', 'image_file', 'default', 'shortcut']);

type Refuse = (status: number, message: string) => Answer;

/** Enable or disable: the record is replaced, so a field that was left out is lost. Phrases alone leave the rest as it is. */
export function editInstalled(home: LiveLikeHome, id: number, request: RecordedRequest, refuse: Refuse): Answer {
	const record = findRecord(home.installed, id);
	if (record === undefined) {
		return refuse(404, 'No such installed capability');
	}

	const body = readJsonObject(request);
	if (body !== undefined && Object.keys(body).join(',') === 'trigger_words') {
		return jsonAnswer(Object.assign(record, body));
	}

	if (body === undefined || typeof body['enabled'] !== 'boolean') {
		return refuse(400, 'enabled: a boolean is required');
	}

	for (const field of Object.keys(record).filter(each => !ownFields.has(each))) {
		record[field] = body[field] ?? null;
	}

	record['enabled'] = body['enabled'];
	return jsonAnswer(record);
}

/**
Changes an ability: a field that was left out is lost. The installed record is tied by name alone, and takes the new one unless told otherwise.
*/
export async function editAbility(
	home: LiveLikeHome,
	id: number,
	request: RecordedRequest,
	options: NameOptions & {readonly renamesInstalled: boolean},
	refuse: Refuse,
): Promise<Answer> {
	const form = await readForm(request);
	const ability = findRecord(home.abilities, id);
	if (form === undefined || ability === undefined) {
		return form === undefined ? refuse(415, 'Unsupported media type') : refuse(404, 'No such capability');
	}

	const texts = formTexts(form);
	const [name = ''] = texts['name'] ?? [];
	const [category = ''] = texts['category'] ?? [];
	const triggerWords = phrasesIn(texts['trigger_words']);
	const complaint =
		name === '' || category === ''
			? 'name and category are required'
			: complainAboutFields(home, {id: ability['id'], name, triggerWords}, options);
	if (complaint !== undefined) {
		return refuse(400, complaint);
	}

	const installed = findInstalledOf(home, id);
	if (installed !== undefined) {
		Object.assign(installed, {category, trigger_words: triggerWords, ...(options.renamesInstalled && {name})});
	}

	Object.assign(ability, {
		name,
		category,
		description: texts['description']?.[0] ?? null,
		trigger_words: triggerWords,
		selected_keys: [],
		...keysIn(texts),
	});
	return jsonAnswer({detail: 'Capability updated'});
}

/** Deletes several abilities, or none where one of them is unknown. */
export function deleteAbilities(home: LiveLikeHome, ids: readonly unknown[], refuse: Refuse): Answer {
	const abilities = ids.map(id => findRecord(home.abilities, Number(id)));
	if (abilities.length === 0 || abilities.includes(undefined)) {
		return refuse(abilities.length === 0 ? 400 : 404, 'capability_ids: no such capability');
	}

	for (const ability of abilities) {
		const record = findInstalledOf(home, Number(ability?.['id']));
		if (record !== undefined) {
			remove(home.installed, record);
		}

		remove(home.abilities, ability);
	}

	return jsonAnswer({detail: `${abilities.length} deleted`});
}

function remove(entries: unknown[], record: unknown): void {
	entries.splice(entries.indexOf(record), 1);
}

export function installAbility(home: LiveLikeHome, abilityId: number, refuse: Refuse): Answer {
	const ability = findRecord(home.abilities, abilityId);
	return ability === undefined ? refuse(404, 'No such capability') : jsonAnswer(install(home, ability));
}

export function uninstall(home: LiveLikeHome, id: number, refuse: Refuse): Answer {
	const record = findRecord(home.installed, id);
	if (record === undefined) {
		return refuse(404, 'No such installed capability');
	}

	remove(home.installed, record);
	const ability = home.abilities.filter(entry => isRecord(entry)).find(({name}) => name === record['name']);
	if (ability !== undefined) {
		ability['is_installed'] = false;
	}

	return {status: 204};
}
