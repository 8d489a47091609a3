import {realpath, stat} from 'node:fs/promises';
import path from 'node:path';
import {readTieFile, tieBytes, tieOf, type TiedRelease, type TieFile} from '../bundle/folder-tie.ts';
import type {AbilityUpload} from '../client/client.ts';
import {tieFileName} from '../interface/ability-package/junk.ts';
import {quotePath} from '../interface/ability-package/limits.ts';
import {cleanText} from '../interface/clean-text.ts';
import {reasonOf} from '../interface/errors.ts';
import {decodeRecord, type Ability} from '../interface/records.ts';
import type {Context} from './context.ts';
import type {Service} from './with-service.ts';
import {writeFiles} from './write-folder.ts';

/** Returns the other ability that a folder belongs to, for a message; a file without an address may be for any service. */
export function otherTie({env}: Context, {address}: Service, file: TieFile, ability: Ability): string | undefined {
	const tie = tieOf(file, address, env);
	const isSame = tie === undefined || (tie.id === ability.id && (tie.isHere || file.fields['base_address'] === undefined));
	return isSame ? undefined : describeTie(tie);
}

/** Returns an ability as its file names it. */
export function describeTie({id, name}: {readonly id: number; readonly name: string | undefined}): string {
	return `${name === undefined ? 'the ability' : cleanText(name, 100)} (${id})`;
}

/** Returns a new ability, as it was sent; `undefined` if its id is not known. */
export function createdAbility(id: number | undefined, draft: Omit<AbilityUpload, 'zip' | 'image'>): Ability | undefined {
	const {name, category, description, triggerPhrases} = draft;
	return decodeRecord('abilities', {capability_id: id ?? null, name, category, description, trigger_words: triggerPhrases});
}

type KeepOptions = {
	/** The version of the files in the folder; by default the version in use. */
	readonly version?: string | undefined;
	/** Writes nothing if there is no file, or one for another service: the vendor's client takes its id for one of theirs. */
	readonly isOnlyKept?: boolean;
	/** False to leave out the release, which needs a request. */
	readonly isReleaseRead?: boolean;
};

/**
Notes in a folder that it belongs to an ability; a zip is left as it is. A folder that cannot be written only leads to a note, as the work
is done.
*/
export async function keepTie(
	context: Context,
	service: Service,
	folder: string,
	ability: Ability,
	{version, isOnlyKept = false, isReleaseRead = true}: KeepOptions = {},
): Promise<void> {
	const place = quotePath(path.join(folder, tieFileName));
	try {
		// The folder itself may be a link, but links in it are not followed.
		const root = await realpath(folder);
		if (!(await stat(root)).isDirectory()) {
			return;
		}

		const file = await readTieFile(root);
		const tie = tieOf(file, service.address, context.env);
		const isElsewhere = tie?.isHere === false && tie.id !== ability.id;
		if (file.problem !== undefined) {
			context.note(`${place} ${file.problem}, so it was left as it is. Remove it to have it written again.`);
		} else if (!isOnlyKept || (file.stats !== undefined && !isElsewhere)) {
			const release = isReleaseRead ? await readRelease(context, service, ability) : {};
			const bytes = tieBytes(file, service.address, ability, version === undefined ? release : {...release, version});
			await writeFiles(root, bytes === undefined ? [] : [{path: tieFileName, bytes, before: file.stats}]);
		}
	} catch (error) {
		context.note(`${place} could not be written, so the folder does not say which ability it is. ${reasonOf(error)}`);
	}
}

/** Returns the release of an ability, if the service shows it: the file is not worth a failure. */
async function readRelease({readSignal}: Context, {client}: Service, {id}: Ability): Promise<TiedRelease> {
	return client.getInstalledByAbility(id, readSignal).catch(() => ({}));
}
