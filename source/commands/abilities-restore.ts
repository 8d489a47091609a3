import {compareFiles, namedChanges} from '../bundle/compare-files.ts';
import {findingOf, type Noticed} from '../changes/send-changes.ts';
import {prepareRelease, readServiceSource} from '../client/release-source.ts';
import {isUnknown} from '../client/routes.ts';
import type {PackageFile} from '../interface/ability-package/write-zip.ts';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {versionInUse} from '../interface/installed-lookup.ts';
import {rawName, type Ability} from '../interface/records.ts';
import {openSavedDrafts} from '../settings/saved-drafts.ts';
import {readVersion} from './abilities-pull.ts';
import {releasesOf, sendRelease} from './abilities-upload.ts';
import {changeItems, writeOnce} from './change-items.ts';
import {startCheck} from './check-changes.ts';
import {isInteractive, type Context} from './context.ts';
import {expectRelease} from './expect-source.ts';
import {readAndFind} from './find-records.ts';
import {confirmOnTerminal, refuseUnaskable} from './input/confirm.ts';
import {noteDiff, unifiedDiff} from './output/diff.ts';
import {printResult} from './output/table.ts';
import {withService, type Service} from './with-service.ts';

/** The source of a version; `undefined` where it is not offered, if the service may use its release again by itself. */
const readIfOffered = async (
	context: Context,
	service: Service,
	ability: Ability,
	version: string,
	releaseId: number | undefined,
): Promise<readonly PackageFile[] | undefined> => {
	try {
		return await readVersion(context, service, ability, version);
	} catch (error) {
		if (releaseId === undefined || toSwitchboardError(error).kind !== 'not-found') {
			throw error;
		}

		return undefined;
	}
};

/** Lets the service use a release again, if it offers that, and returns what came or went beside it. If no answer comes, the list says which version is in use. */
const enableRelease = async (context: Context, service: Service, ability: Ability, version: string, releaseId: number) => {
	const [outcome] = await changeItems<Ability, {readonly isOffered: boolean}, 'abilities'>(context, service, [ability], {
		doing: 'Restoring',
		isConfirmed: ({isOffered}) => !isOffered,
		async send() {
			try {
				await service.client.enableRelease(releaseId, context.writeSignal);
				return {isOffered: true};
			} catch (error) {
				if (isUnknown(error) && !error.isOutcomeUnknown) {
					return {isOffered: false};
				}

				throw error;
			}
		},
		lookUp: {
			resource: 'abilities',
			find({id}, {records}) {
				const seen = records.find(record => record.id === id);
				const used = seen && versionInUse(seen);
				return findingOf(used === undefined ? undefined : used === version, {isOffered: true}, seen);
			},
			words: ({name}) => [`${name} does not use version ${version}`, `${name} uses version ${version}`],
		},
	});
	if ('error' in outcome!) {
		throw outcome.error;
	}

	return {...outcome!.result, noticed: outcome!.noticed};
};

/** Releases the source of a version anew, as a new version. */
const releaseAnew = async (context: Context, service: Service, ability: Ability, version: string, contents: readonly PackageFile[]) => {
	const packed = {contents, files: contents.map(({path: file, bytes}) => ({path: file, size: bytes.byteLength}))};
	const wish = {ownDraftId: openSavedDrafts(service.draftAccount).own(ability)};
	const prepared = await prepareRelease(releasesOf(context, service), ability, packed, wish);
	if (prepared === undefined || context.isDryRun) {
		return prepared && {...prepared, released: prepared.release.version};
	}

	const {replacedDraft} = prepared.release;
	if (replacedDraft !== undefined) {
		await confirmOnTerminal(
			context,
			`The source of version ${version} has to be released anew, and replaces the draft of ${ability.name}, version ${replacedDraft}. Replace it?`,
			'Nothing was changed.',
		);
	}

	const check = startCheck(context, service);
	const result = await sendRelease(context, service, {ability, release: prepared.release, packed, message: `Restore version ${version}`});
	check.expect(ability, expectRelease(context, service, ability, packed));
	const [outcome] = await check.settle([{item: ability, result}]);
	if ('error' in outcome!) {
		throw outcome.error;
	}

	return {...prepared, released: outcome!.result, noticed: outcome!.noticed};
};

const showDifference = async (context: Context, {client}: Service, ability: Ability, contents: readonly PackageFile[]) => {
	const current = await readServiceSource(client, ability, {signal: context.readSignal});
	context.note(`The source of ${ability.name} would change:`);
	noteDiff(context, unifiedDiff(compareFiles(current, contents), current, contents));
};

/** Uses an earlier version again, after a question: its release or, where the service does not offer that, its source as a new version. */
export const restoreAbility = async (context: Context, word: string, {version}: {readonly version: string}): Promise<void> => {
	await withService(context, async service => {
		const ability = await readAndFind(context, service, word, {resource: 'abilities'});
		const {name, versions} = ability;
		const listed = versions.find(each => each.version === version);
		const releaseId = listed?.isCommitted === false ? undefined : listed?.id;
		const report = async (
			action: 'updated' | 'unchanged',
			used: string | undefined,
			sentence: string,
			noticed?: readonly Noticed[],
		): Promise<void> =>
			printResult(context, {
				json: {capability_id: ability.id, name: rawName(ability), action, version: used ?? null, ...(noticed !== undefined && {noticed})},
				sentence,
				fields: [ability.id, name, action, used ?? ''],
			});
		const contents = await readIfOffered(context, service, ability, version, releaseId);
		if (versionInUse(ability) === version) {
			await report('unchanged', version, `${name} uses version ${version} already.`);
			return;
		}

		if (!context.isSure && !context.isDryRun) {
			refuseUnaskable(context, {verb: 'restore'});
		}

		if (!context.isSure && isInteractive(context) && contents !== undefined) {
			await showDifference(context, service, ability, contents);
		}

		if (await confirmOnTerminal(context, `Use version ${version} of ${name} again?`, 'Nothing was changed.')) {
			const now = await readAndFind(context, service, String(ability.id), {resource: 'abilities'});
			if (JSON.stringify(now.versions) !== JSON.stringify(versions) || now.raw['last_updated'] !== ability.raw['last_updated']) {
				throw new SwitchboardError('conflict', `${name} was changed in the meantime. Nothing was done.`, {
					nextStep: 'Run the command again to see what it is now.',
				});
			}
		}

		if (context.isDryRun && releaseId !== undefined) {
			await report('updated', version, `Would use version ${version} of ${name} again.`);
			return;
		}

		await writeOnce(context, {
			async write() {
				const {isOffered = false, noticed} =
					releaseId === undefined ? {} : await enableRelease(context, service, ability, version, releaseId);
				if (isOffered) {
					await report('updated', version, `${name} uses version ${version} again.`, noticed);
					return;
				}

				const anew = contents && (await releaseAnew(context, service, ability, version, contents));
				if (contents === undefined) {
					throw new SwitchboardError(
						'not-found',
						`Not offered: the service can neither use version ${version} of ${name} again nor send its source.`,
						{nextStep: 'Use the dashboard instead.'},
					);
				}

				if (anew === undefined) {
					await report('unchanged', versionInUse(ability), `${name} has the source of version ${version} already.`);
					return;
				}

				const {files, released} = anew;
				const number = context.isDryRun || released === undefined ? '' : ` as version ${released}`;
				await report(
					'updated',
					released,
					`${context.isDryRun ? 'Would release' : 'Released'} the source of version ${version} of ${name}${number}: ${namedChanges(files)}.`,
					'noticed' in anew ? anew.noticed : undefined,
				);
			},
			ifDone: `${name} was restored.`,
			ifUnknown: `It is not known whether ${name} was restored: the change was sent and may still arrive.`,
			ifNotSent: `${name} was not restored.`,
		});
	});
};
