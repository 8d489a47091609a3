import pMap from 'p-map';
import type {PackedAbility} from '../bundle/pack-ability.ts';
import {compareSource, findRelease} from '../client/release-source.ts';
import {quotePath} from '../interface/ability-package/limits.ts';
import {isCategory} from '../interface/categories.ts';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {absenceCheck, installedLookup} from '../interface/installed-lookup.ts';
import {findCaseVariants, nameIdentity} from '../interface/name-index.ts';
import type {JsonObject} from '../interface/json.ts';
import type {Ability, InstalledAbility} from '../interface/records.ts';
import {takeTurn} from '../platform/turns.ts';
import {openSavedDrafts} from '../settings/saved-drafts.ts';
import {matchAbilities, planState, type SourceComparison} from '../state/plan-state.ts';
import {indexList, setsOf, stepsOf, type ListIndex, type Lists, type Step} from '../state/plan.ts';
import {errorProblem, problemsError, type AbilityEntry, type Place, type Problem, type State} from '../state/state.ts';
import type {Change} from '../changes/change.ts';
import type {DiffLine} from '../state/text-diff.ts';
import type {Context} from './context.ts';
import {readResourceList} from './find-records.ts';
import {noteDraft} from './abilities-upload.ts';
import {timedLines} from './timed-switch.ts';
import {releasesOf} from './send-source.ts';
import type {Service} from './with-service.ts';

/** Few, because each holds a whole ability in memory. */
const sourcesAtATime = 2;

/** The work that brings a service to a state. */
export type Plan = {
	/** Steps that cannot be sent come last. */
	readonly steps: readonly Step[];
	/** The number of entries in the state that are fulfilled already. */
	readonly unchangedCount: number;
	/** The abilities that a timer will switch, which a state file leaves alone. */
	readonly timed?: readonly InstalledAbility[];
	readonly more?: JsonObject;
	/** The differences of prompts and sources, if they were requested. */
	readonly differences?: ReadonlyMap<Change, readonly DiffLine[]>;
};

/** Returns the differences that steps make to prompts and sources. */
export async function differencesOf(steps: readonly Step[]): Promise<ReadonlyMap<Change, readonly DiffLine[]>> {
	const differences = new Map<Change, readonly DiffLine[]>();
	for (const step of steps) {
		for (const change of step.changes) {
			const {field, name, from, to} = change;
			if (field === 'prompt' && typeof from === 'string' && typeof to === 'string') {
				await takeTurn();
				differences.set(change, (await loadDiff()).promptDiff(name, from, to));
			} else if (field === 'source' && step.kind === 'release') {
				differences.set(change, step.difference ?? []);
			}
		}
	}

	return differences;
}

/** Only differing texts need the library that compares them. */
const loadDiff = async () => ({...(await import('./output/diff.ts')), ...(await import('../state/text-diff.ts'))});

type PlanOptions = {
	/** Also switches off installed abilities that the state does not name. */
	readonly isPruning?: boolean;
	/** Compares with the present states, whatever timers will change. */
	readonly areTimersIgnored?: boolean;
	readonly isDifferenceWanted?: boolean;
};

/**
Reads the lists that a state needs, and makes a plan. Prints only notes, and sends no write.

@throws SwitchboardError with all problems of the state at once, each with its place.
*/
export async function preparePlan(
	context: Context,
	service: Service,
	state: State,
	{isPruning = false, areTimersIgnored = false, isDifferenceWanted = false}: PlanOptions = {},
): Promise<Plan> {
	const lists = await readLists(context, service, state, {isPruning});
	const {sources, problems: sourceProblems} = await prepareSources(context, service, state, lists, isDifferenceWanted);
	await takeTurn();
	const {steps, unchangedCount, problems, timed} = planState(state, lists, {isPruning, areTimersIgnored, comparisons: sources});
	if (sourceProblems.length + problems.length > 0) {
		throw problemsError(state.label, [...problems, ...sourceProblems]);
	}

	return {steps, unchangedCount, timed, ...(isDifferenceWanted && {differences: await differencesOf(steps)})};
}

/**
Reads the lists that a state needs, each once.

@throws SwitchboardError `usage` or `refused` if it should prune and cannot.
*/
async function readLists(context: Context, service: Service, state: State, {isPruning}: {readonly isPruning: boolean}): Promise<Lists> {
	if (isPruning && state.installed.length === 0) {
		throw new SwitchboardError(
			'usage',
			'--prune switches off what the file does not name, and it names nothing under “installed:”. Nothing was done.',
			{nextStep: 'Name the abilities that stay on, or use: switchboard disable --all'},
		);
	}

	const first: Lists = {
		...(state.installed.length > 0 && {installed: await readResourceList(context, service, 'installed')}),
		...(state.agents.length > 0 && {agents: await readResourceList(context, service, 'agents')}),
	};
	if (isPruning) {
		refuseIncomplete(first);
	}

	return needsAbilities(state) || hasMissing(state, first)
		? {...first, abilities: await readResourceList(context, service, 'abilities')}
		: first;
}

/** Pruning needs a complete list. */
function refuseIncomplete({installed}: Lists): void {
	if (installed !== undefined && (!installed.isComplete || installed.leftOutCount > 0)) {
		throw new SwitchboardError(
			'refused',
			'The list of installed abilities is incomplete, so --prune cannot tell what to switch off. Nothing was done.',
			{nextStep: 'Leave out --prune.'},
		);
	}
}

const needsAbilities = ({abilities, agents}: State): boolean => abilities.length > 0 || agents.some(agent => agent.abilities !== undefined);

/** Tells whether the state names an ability that is not installed: it may exist. */
function hasMissing({installed}: State, lists: Lists): boolean {
	const index = indexList(lists.installed);
	const variants = findCaseVariants(installed.map(({name}) => name));
	return installed.some(({name}) => index.find(name, variants.has(name)).length === 0);
}

type Sources = {readonly sources: ReadonlyMap<AbilityEntry, SourceComparison>; readonly problems: readonly Problem[]};

/** Packs the sources that a state names, and compares the sources of existing abilities with the service: at most two requests each. */
async function prepareSources(
	context: Context,
	service: Service,
	state: State,
	lists: Lists,
	isDifferenceWanted: boolean,
): Promise<Sources> {
	const sources = new Map<AbilityEntry, SourceComparison>();
	const problems: Problem[] = [];
	const abilities = indexList(lists.abilities);
	await pMap(
		matchAbilities(state.abilities, abilities),
		async ({entry, ability: matched, problem}) => {
			const ability = problem === undefined ? matched : undefined;
			let packed: PackedAbility;
			try {
				packed = await pack(entry, ability);
			} catch (error) {
				problems.push(toProblem({place: entry.sourcePlace, subject: quotePath(entry.source)}, error));
				return;
			}

			try {
				sources.set(
					entry,
					ability === undefined
						? {packed, isSame: false, version: ''}
						: await compare(context, service, packed, ability, {
								isReleaseShown: !isInstalledFirst(ability, state, abilities, lists),
								isDifferenceWanted,
							}),
				);
			} catch (error) {
				problems.push(toProblem(entry, error));
			}
		},
		{concurrency: sourcesAtATime},
	);
	return {sources, problems};
}

async function pack(
	{name, sourcePath, category, description, triggerPhrases}: AbilityEntry,
	ability: Ability | undefined,
): Promise<PackedAbility> {
	// Loaded only here, with the zip library.
	return (await import('../bundle/pack-ability.ts')).packAbility(sourcePath, {
		name,
		// Only the source of an existing ability counts: these values and those of its config.json do not matter.
		...(ability === undefined ? {description, triggerPhrases} : {triggerPhrases: []}),
		// The category decides which files are needed.
		category: category ?? (isCategory(ability?.category) ? ability.category : undefined),
	});
}

/** Returns a mistake in the state, or work that this service cannot do, as a problem of the state; throws an error that may pass. */
function toProblem({place, subject = ''}: {readonly place: Place; readonly subject?: string}, error_: unknown): Problem {
	const error = toSwitchboardError(error_);
	if (!['refused', 'too-large', 'conflict', 'usage', 'not-found'].includes(error.kind)) {
		throw error_;
	}

	const problem = errorProblem(place, error);
	return error.message.includes(subject) ? problem : {...problem, message: `${subject}: ${problem.message}`};
}

async function compare(
	context: Context,
	service: Service,
	packed: PackedAbility,
	ability: Ability,
	{isReleaseShown, isDifferenceWanted}: {readonly isReleaseShown: boolean; readonly isDifferenceWanted: boolean},
): Promise<SourceComparison> {
	context.showProgress(`Comparing ${ability.name} …`);
	const releases = releasesOf(context, service);
	const {same, files, before, isOurs} = await compareSource(releases, ability, packed);
	const ownDraftId = openSavedDrafts(service.draftAccount).own(ability);
	const release = same || !isReleaseShown ? undefined : await findRelease(releases, ability, {ownDraftId, isOurs});
	if (release?.replacedDraft !== undefined) {
		context.note(
			`The draft of ${ability.name}, version ${release.replacedDraft}, was not saved from here, and would be replaced.`,
			'warning',
		);
	}

	return {
		packed,
		release,
		isSame: same,
		version: release?.version ?? '',
		difference: same || !isDifferenceWanted ? undefined : (await loadDiff()).unifiedDiff(files, before, packed.contents),
	};
}

/** Tells whether the state itself installs an ability, which shows its release only then. */
function isInstalledFirst(ability: Ability, {installed}: State, {find}: ListIndex<Ability>, lists: Lists): boolean {
	const records = lists.installed?.records ?? [];
	return (
		installed.some(({name}) => find(name).includes(ability)) &&
		installedLookup(records)(ability) === undefined &&
		absenceCheck(records)(ability)
	);
}

/**
Returns the mistakes in the sources that a state names, as far as the folders show them, without a request to a service.

@throws an error that no change of the state would fix.
*/
export async function checkSources({abilities}: State): Promise<readonly Problem[]> {
	// Sources that could not be located were reported already.
	const problems = await pMap(
		abilities.filter(({sourcePath}) => sourcePath !== ''),
		async entry => {
			try {
				await pack(entry, undefined);
				return [];
			} catch (error) {
				return [toProblem({place: entry.sourcePlace, subject: quotePath(entry.source)}, error)];
			}
		},
		{concurrency: sourcesAtATime},
	);
	return problems.flat();
}

/**
Notes the timers that a plan leaves alone, and advice on abilities that would be created, and warns of abilities that nobody could start.
*/
export function noteAboutPlan(context: Context, {steps, timed = []}: Plan): void {
	for (const line of timedLines(context, timed)) {
		context.note(line);
	}

	const withPhrases = new Set(
		setsOf(steps, 'installed')
			.filter(({values: {triggers = []}}) => triggers.length > 0)
			.map(({name}) => nameIdentity(name)),
	);
	for (const {name, packed} of stepsOf(steps, 'create')) {
		noteDraft(context, packed, withPhrases.has(nameIdentity(name)) ? undefined : 'Add “triggers” to it in the state file.');
	}
}
