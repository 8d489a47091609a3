import type {FileChange} from '../bundle/compare-files.ts';
import type {ResourceList} from '../client/client.ts';
import {quotePath} from '../interface/ability-package/limits.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {indexNames} from '../interface/name-index.ts';
import {cleanName, type Ability} from '../interface/records.ts';
import {draftOf, versionInUse} from '../interface/installed-lookup.ts';
import {openSavedDrafts} from '../settings/saved-drafts.ts';
import {shellWord} from '../platform/shell-word.ts';
import type {Step, StepResult, StepOutcome} from '../state/plan.ts';
import {isInteractive, type Context} from './context.ts';
import type {Service} from './with-service.ts';
import {noteDraft, readMetadata, type MetadataOptions} from './abilities-upload.ts';
import {changeAndReport, type ItemReport} from './change-items.ts';
import {readAndFind} from './find-records.ts';
import {createdAbility, keepTie} from './keep-tie.ts';
import {changedFilesText, FolderProblems, preparePushes, readFolders, withoutRepeated, type Push} from './prepare-pushes.ts';
import type {PushFolder, PushTargetOptions} from './push-target.ts';

const metadataFlags = ['description', 'category', 'triggers', 'image', 'agent'] as const;

type PushOptions = PushTargetOptions & MetadataOptions & {readonly message?: string; readonly draft?: boolean; readonly agent?: string};

export async function pushAbilities(context: Context, given: readonly string[], options: PushOptions): Promise<void> {
	const paths = await withoutRepeated(given);
	checkOptions(options, paths);
	const metadata = await readMetadata(context, options);
	const problems = new FolderProblems(paths);
	const folders = await readFolders(paths, problems);
	if (folders.length === 0) {
		problems.throwAll();
	}

	noteFolders(context, folders);
	let pushes: readonly Push[] = [];
	const report: ItemReport = {
		idField: 'capability_id',
		toJson: outcome =>
			'result' in outcome && (outcome.result.isChanged || outcome.item.isDone)
				? {
						capability_id: idAfter(outcome.result, outcome.item) ?? null,
						action: actionOf(outcome.item),
						version: outcome.result.version ?? null,
					}
				: {action: null, version: null},
		toFields: (outcome, name, status) =>
			'result' in outcome
				? [idAfter(outcome.result, outcome.item) ?? '', name, actionOf(outcome.item), outcome.result.version ?? '']
				: [outcome.item.record?.id ?? '', name, status, ''],
		toSentence: (name, done, item) => sentence(name, done, item, pushes.find(({step}) => step === item)!.files, context.isDryRun),
		doneWord: 'pushed',
		nextStep: 'Run the command again: it sends only what differs.',
	};
	await changeAndReport(context, report, true, async service => {
		const agent = options.agent === undefined ? undefined : await readAndFind(context, service, options.agent, {resource: 'agents'});
		const wish = {...options, metadata, agentId: agent?.id};
		const prepare = async () => preparePushes(context, service, folders, wish, problems);
		pushes = await prepare();
		noteMetadata(context, pushes, options);
		for (const {step} of pushes) {
			if (step.kind === 'create') {
				noteDraft(context, step.packed, 'Add some with --triggers.');
			}
		}

		const steps = pushes.map(({step}) => step);
		let before = service.lists().abilities;
		return {
			steps,
			questions: questionsBefore(context, pushes, options),
			ifNo: 'Nothing was pushed.',
			async prepareAgain() {
				if (planText(await prepare()) !== planText(pushes)) {
					throw new SwitchboardError('conflict', 'The abilities were changed in the meantime. Nothing was done.', {
						nextStep: 'Run the command again to see what it would do now.',
					});
				}

				before = service.lists().abilities;
				return steps;
			},
			async complete(sent) {
				if (context.isDryRun) {
					return sent;
				}

				const outcomes = await completePushes(context, service, sent, before);
				await keepTies(context, service, outcomes, pushes);
				return outcomes;
			},
		};
	});
}

function checkOptions(options: PushOptions, folders: readonly string[]): void {
	const given = (['ability', 'name', ...metadataFlags] as const).find(flag => options[flag] !== undefined);
	if (given !== undefined && folders.length > 1) {
		throw new SwitchboardError('usage', `--${given} is for one folder, and there are ${folders.length}. Nothing was done.`, {
			nextStep: 'Push each with a separate command.',
		});
	}
}

function noteFolders(context: Context, folders: readonly PushFolder[]): void {
	for (const {
		path: folder,
		source: {leftOut},
	} of folders) {
		if (leftOut.length > 0) {
			context.note(`Skipped${folders.length === 1 ? '' : ` in ${quotePath(folder)}`}: ${leftOut.join(', ')}`);
		}
	}
}

/** The id of the ability; `undefined` if the service did not name it. */
const idAfter = ({id}: StepResult, {record}: Step): number | undefined => id ?? record?.id;

const actionOf = (step: Step): 'created' | 'drafted' | 'updated' | 'unchanged' =>
	step.kind === 'create' ? 'created' : step.isDone ? 'unchanged' : step.kind === 'release' && step.isDraft ? 'drafted' : 'updated';

function sentence(name: string, {id, version}: StepResult, step: Step, files: readonly FileChange[], isDryRun: boolean): string {
	const what = `${name}: ${changedFilesText(files)}.`;
	const details = [id === undefined ? '' : `id ${id}`, version === undefined ? '' : `version ${version}`].filter(Boolean).join(', ');
	const sentences = {
		created: [`Would create ${name}.`, `Created ${name}${details === '' ? '' : ` (${details})`}.`],
		drafted: [
			`Would save a draft of ${what}`,
			`Saved a draft of ${version === undefined ? what : `${name}, version ${version}: ${changedFilesText(files)}.`}`,
		],
		updated: [`Would release ${what}`, `Released ${version === undefined ? '' : `version ${version} of `}${what}`],
		unchanged: [`${name} is unchanged.`, `${name} is unchanged.`],
	} as const;
	return sentences[actionOf(step)][isDryRun ? 0 : 1];
}

/** Notes that the fields for a new ability do not count for existing abilities. */
function noteMetadata(context: Context, pushes: readonly Push[], options: PushOptions): void {
	const given = metadataFlags.filter(flag => options[flag] !== undefined).map(flag => `--${flag}`);
	for (const {step} of given.length === 0 ? [] : pushes) {
		if (step.kind === 'release') {
			const {name} = step.record;
			context.note(
				`${given.join(', ')} ${given.length === 1 ? 'is' : 'are'} for a new ability: ${name} stays as it is. To change it: switchboard abilities edit ${shellWord(name)}`,
			);
		}
	}
}

/** Returns the questions to answer first: whether to release code to a renamed ability, and whether to create new ones. */
function questionsBefore(context: Context, pushes: readonly Push[], options: PushTargetOptions): readonly string[] {
	const drafts = draftQuestions(pushes);
	for (const text of context.isDryRun ? drafts : []) {
		context.note(text.replace(/ Replace it\?$/, ' It would be replaced.'), 'warning');
	}

	if (drafts.length > 0 && !context.isSure && !context.isDryRun && !isInteractive(context)) {
		throw new SwitchboardError('usage', `${drafts[0]!.replace(/ Replace it\?$/, '')} Nothing was done.`, {
			nextStep: 'Use --yes to replace it without confirmation.',
		});
	}

	return [...pushes.map(({question}) => question), ...drafts, creationQuestion(pushes, options)].filter(each => each !== undefined);
}

/** The questions about drafts that were saved elsewhere, and that the new code replaces: there is no other copy. */
const draftQuestions = (pushes: readonly Push[]): readonly string[] =>
	pushes.flatMap(({step}) =>
		step.kind === 'release' && step.release?.replacedDraft !== undefined
			? [`${step.record.name} has a draft, version ${step.release.replacedDraft}, that was not saved from here. Replace it?`]
			: [],
	);

function creationQuestion(pushes: readonly Push[], {create = false}: PushTargetOptions): string | undefined {
	const names = pushes.filter(({step}) => step.kind === 'create' && !create).map(({step}) => cleanName(step.name));
	return names.length === 0
		? undefined
		: names.length === 1
			? `Create the ability ${names[0]}?`
			: `Create the abilities ${names.join(', ')}?`;
}

/** The plan as a text, which differs for any other plan. */
const planText = (pushes: readonly Push[]): string =>
	JSON.stringify(
		pushes.map(({step, files}) => [step.record?.id, step.name, actionOf(step), step.kind === 'release' && step.release, files]),
	);

/**
Adds ids and versions that were not in the answers, from the list of abilities, and remembers the drafts that were saved from here, because
new code may replace these without a question. A list that cannot be read is not an error, as the work is done.

@param before - the list before; a newer list will do.
*/
async function completePushes(
	{readSignal, showProgress}: Context,
	{client, lists, draftAccount}: Service,
	outcomes: readonly StepOutcome[],
	before: ResourceList<Ability> | undefined,
): Promise<readonly StepOutcome[]> {
	const isComplete = (outcome: StepOutcome): boolean =>
		'error' in outcome || !outcome.result.isChanged || (actionOf(outcome.item) === 'updated' && outcome.result.version !== undefined);
	if (outcomes.every(outcome => isComplete(outcome))) {
		return outcomes;
	}

	try {
		showProgress('Reading the new versions …');
		const {abilities} = lists();
		const {records} = abilities === undefined || abilities === before ? await client.list('abilities', readSignal) : abilities;
		const names = indexNames(records);
		const remembered: Array<Promise<void>> = [];
		const complete = outcomes.map(outcome => {
			if ('error' in outcome || !outcome.result.isChanged) {
				return outcome;
			}

			const {item, result} = outcome;
			const known = idAfter(result, item);
			const ability = known === undefined ? names.find(item.name)[0] : records.find(({id}) => id === known);
			if (ability === undefined) {
				return outcome;
			}

			const isDraft = actionOf(item) === 'drafted';
			if (isDraft) {
				remembered.push(openSavedDrafts(draftAccount).remember(ability));
			}

			const version = isDraft ? draftOf(ability)?.version : versionInUse(ability);
			return {...outcome, result: {...result, id: ability.id, version: result.version ?? version}};
		});
		await Promise.all(remembered);
		return complete;
	} catch {
		return outcomes;
	}
}

/** Notes in the folders which abilities they belong to: in the folders of new abilities, and in those with a note already. */
async function keepTies(context: Context, service: Service, outcomes: readonly StepOutcome[], pushes: readonly Push[]): Promise<void> {
	for (const outcome of outcomes) {
		const {item} = outcome;
		const {folder} = pushes.find(({step}) => step === item)!;
		const done = 'result' in outcome ? outcome.result : undefined;
		const ability = item.kind === 'create' ? createdAbility(done?.id, item.packed) : (item.record as Ability);
		if (done !== undefined && ability !== undefined) {
			await keepTie(context, service, folder.path, ability, {version: done.version, isOnlyKept: item.kind !== 'create'});
		}
	}
}
