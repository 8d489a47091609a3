import {type Answer, jsonAnswer} from '../answers.ts';
import type {RecordedRequest} from '../recorded-requests.ts';
import {formTexts, readForm} from '../request-bodies.ts';
import {findInstalledOf, findRecord, isRecord, type LiveLikeHome, type Loose, type SourceFile} from './home.ts';
import {complainAboutCode, readZip} from './uploads.ts';
import {zip} from './zips.ts';

type Refuse = (status: number, message: string) => Answer;

/* Versions of abilities (`docs/interface.md`): each has an id, which is called a release id, and one of them is in use. A draft is the newest that is not committed. */

const versionsOf = (ability: Loose): Loose[] =>
	Array.isArray(ability['capability_versions']) ? ability['capability_versions'].filter(version => isRecord(version)) : [];

const isCommitted = (version: Loose): boolean => version['is_committed'] !== false;

const inUse = (ability: Loose): Loose | undefined => versionsOf(ability).find(version => version['is_user_enabled'] === true);

const findRelease = (home: LiveLikeHome, releaseId: number): {readonly ability: Loose; readonly version: Loose} | undefined =>
	home.abilities
		.filter(entry => isRecord(entry))
		.flatMap(ability => versionsOf(ability).map(version => ({ability, version})))
		.find(({version}) => Number(version['id']) === releaseId);

/** Numbers a version after the newest: 1.0.0, 1.0.1, and so on. */
function addVersion(home: LiveLikeHome, ability: Loose, fields: Loose): Loose {
	const versions = versionsOf(ability);
	const allIds = home.abilities.filter(entry => isRecord(entry)).flatMap(each => versionsOf(each).map(({id}) => Number(id)));
	const version: Loose = {id: Math.max(9000, ...allIds) + 1000, version: `1.0.${versions.length}`, is_user_enabled: false, ...fields};
	ability['capability_versions'] = [...versions, version];
	return version;
}

function use(home: LiveLikeHome, ability: Loose, version: Loose): void {
	for (const each of versionsOf(ability)) {
		each['is_user_enabled'] = each === version;
	}

	version['is_committed'] = true;
	const release = home.releases.get(Number(version['id']));
	if (release !== undefined) {
		home.sources.set(Number(ability['id']), release.files);
	}
}

/** Gives the ability a draft, as a service that always has one. */
export function addDraft(home: LiveLikeHome, ability: Loose): void {
	addVersion(home, ability, {is_committed: false});
}

/** Keeps the files of the version in use before another one takes its place. */
function keepUsed(home: LiveLikeHome, ability: Loose): void {
	const used = Number(inUse(ability)?.['id']);
	const files = home.sources.get(Number(ability['id']));
	if (files !== undefined && !home.releases.has(used)) {
		home.releases.set(used, {files, message: ''});
	}
}

/**
Takes the code of a version; the files lie at the root of the zip. Committed code is in use at once: in the draft's place, or as a new version where
the id is that of a committed one.
*/
export async function replaceCode(home: LiveLikeHome, releaseId: number, request: RecordedRequest, refuse: Refuse): Promise<Answer> {
	const form = await readForm(request);
	if (form === undefined) {
		return refuse(415, 'Unsupported media type');
	}

	const found = findRelease(home, releaseId);
	if (found === undefined) {
		return refuse(404, 'No such release');
	}

	const files = await readZip(form.get('zip_file'));
	if (files === undefined || !form.has('committed') || !form.has('commit_message')) {
		return refuse(400, 'zip_file, committed and commit_message are required');
	}

	const {ability} = found;
	const complaint = complainAboutCode(String(ability['category']), files);
	if (complaint !== undefined) {
		return refuse(400, complaint);
	}

	const texts = formTexts(form);
	const hadDraft = versionsOf(ability).some(version => !isCommitted(version));
	keepUsed(home, ability);
	const version = isCommitted(found.version) ? addVersion(home, ability, {is_committed: false}) : found.version;
	home.releases.set(Number(version['id']), {files, message: texts['commit_message']?.[0] ?? ''});
	if (texts['committed']?.[0] === 'true') {
		use(home, ability, version);
		if (hadDraft) {
			addDraft(home, ability);
		}
	}

	return jsonAnswer({detail: 'Code validated'});
}

/** Uses another release of its ability. */
export function enableRelease(home: LiveLikeHome, releaseId: number, refuse: Refuse): Answer {
	const found = findRelease(home, releaseId);
	if (found === undefined) {
		return refuse(404, 'No such release');
	}

	keepUsed(home, found.ability);
	use(home, found.ability, found.version);
	return jsonAnswer({detail: 'Release enabled'});
}

const sourcePath = (version: Loose): string => `/media/releases/${String(version['id'])}.zip`;

const showVersion = (home: LiveLikeHome, version: Loose): Loose => ({
	...version,
	is_committed: isCommitted(version),
	commit_message: home.releases.get(Number(version['id']))?.message ?? '',
	zip_file: sourcePath(version),
});

export function listReleases(home: LiveLikeHome, abilityId: number, refuse: Refuse): Answer {
	const ability = findRecord(home.abilities, abilityId);
	return ability === undefined
		? refuse(404, 'No such capability')
		: jsonAnswer(
				versionsOf(ability)
					.filter(version => isCommitted(version))
					.map(version => showVersion(home, version)),
			);
}

/** The installed record of an ability, with what only this path shows. */
export function getInstalledOf(home: LiveLikeHome, abilityId: number, refuse: Refuse): Answer {
	const record = findInstalledOf(home, abilityId);
	const ability = findRecord(home.abilities, abilityId);
	if (record === undefined || ability === undefined) {
		return refuse(404, 'Not installed');
	}

	const used = inUse(ability);
	return jsonAnswer({
		...record,
		release_id: used?.['id'] ?? null,
		version: used?.['version'] ?? null,
		is_committed: used !== undefined && isCommitted(used),
		capability_versions: versionsOf(ability).map(version => showVersion(home, version)),
	});
}

const zipAnswer = async (files: readonly SourceFile[] | undefined, refuse: Refuse, what: string): Promise<Answer> =>
	files === undefined ? refuse(404, `No such ${what}`) : {headers: {'content-type': 'application/zip'}, body: await zip(files)};

/** The files of an ability, at the root of a zip. */
export async function getSource(home: LiveLikeHome, abilityId: number, refuse: Refuse): Promise<Answer> {
	return zipAnswer(home.sources.get(abilityId), refuse, 'capability');
}

/** Those of one version, from the path that its detail names. */
export async function getReleaseSource(home: LiveLikeHome, releaseId: number, refuse: Refuse): Promise<Answer> {
	const found = findRelease(home, releaseId);
	const files =
		home.releases.get(releaseId)?.files ??
		(found && inUse(found.ability) === found.version ? home.sources.get(Number(found.ability['id'])) : undefined);
	return zipAnswer(files, refuse, 'release');
}
