import {compareFiles, namedChanges} from '../bundle/compare-files.ts';
import type {Noticed} from '../changes/send-changes.ts';
import {prepareRelease, readServiceSource} from '../client/release-source.ts';
import {isUnknown} from '../client/routes.ts';
import type {PackageFile} from '../interface/ability-package/write-zip.ts';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {versionInUse} from '../interface/installed-lookup.ts';
import {rawName, type Ability} from '../interface/records.ts';
import {openSavedDrafts} from '../settings/saved-drafts.ts';
import {readPulledVersion} from './abilities-pull.ts';
import {sendStep} from './change-items.ts';
import {isInteractive, type Context} from './context.ts';
import {readAndFind} from './find-records.ts';
import {confirmOnTerminal, requireYes} from './input/confirm.ts';
import {noteDiff, unifiedDiff} from './output/diff.ts';
import {printResult} from './output/table.ts';
import {releasesOf} from './send-source.ts';
import {withService, type Service} from './with-service.ts';

/** Uses an earlier version again, after a question: its release or, if the service does not offer that, its source as a new version. */
export async function restoreAbility(context: Context, word: string, {version}: {readonly version: string}): Promise<void> {
	return withService(context, async service => {
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
		const contents = await readPulledVersion(context, service, ability, {version}).catch((error: unknown) => {
			// The service may use its release again by itself.
			if (releaseId !== undefined && toSwitchboardError(error).kind === 'not-found') {
				return undefined;
			}

			throw error;
		});
		if (versionInUse(ability) === version) {
			await report('unchanged', version, `${name} already uses version ${version}.`);
			return;
		}

		if (!context.isSure && isInteractive(context) && contents !== undefined) {
			await showDifference(context, service, ability, contents);
		}

		if (!context.isSure && !context.isDryRun) {
			await requireYes(context, `Use version ${version} of ${name} again?`, {ifNo: 'Nothing was changed.'});
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

		const step = {kind: 'reuse', name: rawName(ability), record: ability, version, changes: []} as const;
		const reusing = releaseId === undefined ? undefined : sendStep(context, service, {...step, releaseId}, 'restored');
		const reused = await reusing?.catch((error: unknown) => {
			if (isUnknown(error) && !error.isOutcomeUnknown) {
				return undefined;
			}

			throw error;
		});
		if (reused !== undefined) {
			await report('updated', version, `${name} uses version ${version} again.`, reused.noticed);
			return;
		}

		if (contents === undefined) {
			throw new SwitchboardError(
				'not-found',
				`Not offered: the service can neither use version ${version} of ${name} again nor send its source.`,
				{nextStep: 'Use the dashboard instead.'},
			);
		}

		const anew = await releaseAnew(context, service, ability, version, contents);
		if (anew === undefined) {
			await report('unchanged', versionInUse(ability), `${name} already has the source of version ${version}.`);
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
	});
}

async function showDifference(context: Context, {client}: Service, ability: Ability, contents: readonly PackageFile[]) {
	const current = await readServiceSource(client, ability, {signal: context.readSignal});
	context.note(`The source of ${ability.name} would change:`);
	noteDiff(context, unifiedDiff(compareFiles(current, contents), current, contents));
}

/** Releases the source of a version as a new version. */
async function releaseAnew(context: Context, service: Service, ability: Ability, version: string, contents: readonly PackageFile[]) {
	const packed = {contents};
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

	const {release} = prepared;
	const message = `Restore version ${version}`;
	const step = {kind: 'release', name: rawName(ability), record: ability, packed, release, message, changes: []} as const;
	const sent = await sendStep(context, service, step, 'restored');
	return {...prepared, released: sent.version, noticed: sent.noticed};
}
