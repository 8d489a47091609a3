import {type Answer, jsonAnswer} from '../answers.ts';
import type {RecordedRequest} from '../recorded-requests.ts';
import {readJsonObject} from '../request-bodies.ts';
import {findInstalledOf, findRecord, install, type LiveLikeHome} from './home.ts';
import {zip} from './zips.ts';

type Refuse = (status: number, message: string) => Answer;

const replacedFields = ['name', 'category', 'trigger_words', 'system_capability', 'agent_capability'] as const;

/** Enable or disable: the record is replaced, so a field that was left out is lost. */
export const editInstalled = (home: LiveLikeHome, id: number, request: RecordedRequest, refuse: Refuse): Answer => {
	const record = findRecord(home.installed, id);
	if (record === undefined) {
		return refuse(404, 'No such installed capability');
	}

	const body = readJsonObject(request);
	if (body === undefined || typeof body['enabled'] !== 'boolean') {
		return refuse(400, 'enabled: a boolean is required');
	}

	for (const field of replacedFields) {
		record[field] = body[field] ?? null;
	}

	record['enabled'] = body['enabled'];
	return jsonAnswer(record);
};

const remove = (entries: unknown[], record: unknown): void => {
	entries.splice(entries.indexOf(record), 1);
};

/** Deletes several abilities, or none where one of them is unknown. */
export const deleteAbilities = (home: LiveLikeHome, ids: readonly unknown[], refuse: Refuse): Answer => {
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
};

/** The installed record of an ability, with what only this path shows. */
export const getInstalledOf = (home: LiveLikeHome, abilityId: number, refuse: Refuse): Answer => {
	const record = findInstalledOf(home, abilityId);
	return record === undefined
		? refuse(404, 'Not installed')
		: jsonAnswer({...record, release_id: 9000 + abilityId, version: '1.0.0', is_committed: true});
};

export const installAbility = (home: LiveLikeHome, abilityId: number, refuse: Refuse): Answer => {
	const ability = findRecord(home.abilities, abilityId);
	return ability === undefined ? refuse(404, 'No such capability') : jsonAnswer(install(home, ability));
};

export const uninstall = (home: LiveLikeHome, id: number, refuse: Refuse): Answer => {
	const record = findRecord(home.installed, id);
	if (record === undefined) {
		return refuse(404, 'No such installed capability');
	}

	remove(home.installed, record);
	return {status: 204};
};

/** The files of an ability, at the root of a zip. */
export const getSource = async (home: LiveLikeHome, abilityId: number, refuse: Refuse): Promise<Answer> => {
	const files = home.sources.get(abilityId);
	return files === undefined ? refuse(404, 'No such capability') : {headers: {'content-type': 'application/zip'}, body: await zip(files)};
};
