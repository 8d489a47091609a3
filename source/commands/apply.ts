import {SwitchboardError} from '../interface/errors.ts';
import {shellWord} from '../platform/shell-word.ts';
import type {NodeLimits} from '../state/parse.ts';
import type {ReadStateOptions} from '../state/read-state.ts';
import {problemsError, type State} from '../state/state.ts';
import type {DefineCommand} from './command.ts';
import {isInteractive, printJsonOr, type Context} from './context.ts';
import {dryRunOption, exitCodeOption, exitWithDifference, parsePast, pastMoments, type ExitCodeOption} from './options.ts';
import {readExported} from './export.ts';
import {refuseUnaskable, type Unaskable} from './input/confirm.ts';
import {readStateFile, standardInput} from './input/read-text.ts';
import type {StepOutcome} from '../state/plan.ts';
import type {Plan} from './prepare-plan.ts';
import {withService, type Service} from './with-service.ts';

const stateArgument = ['<state-file>', 'the state file, or “-” for standard input'] as const;

const optionalStateArgument = ['[state-file]', `${stateArgument[1]}; none with --at`] as const;

const atOption = ['--at <time>', `the account as it was then, from the history: ${pastMoments}`, parsePast('--at')] as const;

const pruneOption = ['--prune', 'also switch off every installed ability that the file does not name'] as const;

const nowOption = ['--now', 'compare with what is on and off now, whatever timers will switch'] as const;

const noDiffOption = ['--no-diff', 'leave out how prompts and sources differ'] as const;

const allowOutsideOption = ['--allow-outside', 'allow paths that leave the folder of the file'] as const;

const formatHelp = '\nThe format of the file: switchboard help state';

type FileOptions = {readonly allowOutside?: boolean};

/** Returns the state file, or standard input for `-`. */
export async function readStateArgument(context: Context, file: string, options: FileOptions): Promise<State> {
	const {readState} = await loadReading();
	return readState(...(await readStateText(context, file, options)));
}

/** Loaded only here, with the YAML library. */
const loadReading = async () => import('../state/read-state.ts');

/** Reads the text of the given state file, and the rules for its paths. Waiting for it does not count towards the time limit. */
async function readStateText(
	context: Context,
	file: string,
	{allowOutside = false}: FileOptions,
): Promise<readonly [string, ReadStateOptions]> {
	const {text, label, folder} = await context.waitFor(async () => readStateFile(context, file));
	return [
		text,
		{
			label,
			folder,
			isOutsideAllowed: allowOutside,
			arePathsAllowed: context.session === undefined,
			...(context.session !== undefined && {readLimits: async () => limitsByAccount(context)}),
		},
	];
}

/** The limits for a file from somebody else: twice the size of the account, so that each export fits, with a minimum for a small one. */
const limitsByAccount = async (context: Context): Promise<NodeLimits> =>
	withService(readingOnly(context), async service => {
		const {installed, abilities, agents} = await readExported(context, service);
		const parts = [...installed.map(({triggerPhrases}) => triggerPhrases), ...agents.map(({abilityIds = []}) => abilityIds)];
		return {
			names: 2 * (installed.length + abilities.length + agents.length) + 500,
			parts: 2 * parts.reduce((sum, {length}) => sum + length, 0) + 500,
		};
	});

/** A read-only client sends no write in any case. */
const readingOnly = (context: Context): Context => ({...context, options: {...context.options, isReadOnly: true}});

export const definePlan: DefineCommand = (parent, run) =>
	parent
		.command('plan')
		.description('show what apply would change, and change nothing')
		.argument(...optionalStateArgument)
		.option(...atOption)
		.option(...pruneOption)
		.option(...nowOption)
		.option(...noDiffOption)
		.option(...exitCodeOption)
		.option(...allowOutsideOption)
		.examples(
			['switchboard plan home.yaml', 'a line for each change, such as: ~ pantry: off → on'],
			['switchboard plan home.yaml --exit-code', 'for scripts'],
			["switchboard plan --at 'yesterday 18:00'", 'what would bring back that evening'],
			['switchboard plan home.yaml --json | jq .changes', 'with the old and the new value of each field'],
		)
		.exitCodes(['10', 'with --exit-code: there is something to change'])
		.notes(formatHelp)
		.action(run(showPlan));

export const defineApply: DefineCommand = (parent, run) =>
	parent
		.command('apply')
		.description('bring agents and abilities to the state in a file; anything else is left as it is')
		.argument(...optionalStateArgument)
		.option(...atOption)
		.option(...pruneOption)
		.option(...nowOption)
		.option(...noDiffOption)
		.option(...dryRunOption)
		.option('--yes', 'ask nothing, and allow empty prompts and the loss of prompts that cannot be kept')
		.option(...allowOutsideOption)
		.examples(
			['switchboard apply home.yaml', 'shows the plan, with how prompts and sources would differ, and asks'],
			['switchboard apply home.yaml --yes', 'for scripts; safe to run again'],
			['switchboard apply - --yes < home.yaml', 'from standard input'],
			["switchboard apply --at 'yesterday 18:00'", 'bring back what the history has of that evening, after a question'],
		)
		.notes(formatHelp)
		.action(run(apply));

export const defineState: DefineCommand = (parent, run) => {
	const state = parent
		.command('state')
		.description('check a state file without a service')
		.examples(['switchboard state check home.yaml', 'list the mistakes in a state file']);
	state
		.command('check')
		.description('check a state file, its prompt files and its sources without a service')
		.argument(...stateArgument)
		.option(...allowOutsideOption)
		.examples(
			['switchboard state check home.yaml', 'a line for each mistake: FILE:LINE:COLUMN: what'],
			['switchboard state check home.yaml --json', 'the same as JSON'],
		)
		.exitCodes(['0', 'no mistakes'], ['2', 'mistakes, or the file cannot be read'])
		.action(run(checkState, {isLocal: true}));
	return state;
};

type StateOptions = FileOptions & {readonly prune?: boolean; readonly now?: boolean; readonly diff?: boolean; readonly at?: Date};

/** A state file, or a time. */
type Source = {readonly file: string; readonly at?: undefined} | {readonly at: Date};

/** @throws SwitchboardError `usage` if there is neither a state file nor a time, or both. */
function chooseSource(file: string | undefined, {at, prune = false, now = false}: StateOptions): Source {
	if (file !== undefined && at === undefined) {
		return {file};
	}

	const option = prune ? '--prune' : now ? '--now' : 'A state file';
	if (at === undefined || file !== undefined || prune || now) {
		const message = at === undefined ? 'A state file is missing.' : `${option} and --at cannot be used together.`;
		throw new SwitchboardError('usage', message, {nextStep: 'Give a state file, “-” for standard input, or --at TIME.'});
	}

	return {at};
}

/** Loaded only for --at. */
const loadBoard = async () => import('./history/board.ts');

async function showPlan(context: Context, given: string | undefined, options: StateOptions & ExitCodeOption): Promise<void> {
	const source = chooseSource(given, options);
	const planned = await (source.at === undefined ? planFile(context, source.file, options) : planTime(context, source.at));
	const {noteCancelledTimers, printPlan} = await import('./run-plan.ts');
	noteCancelledTimers(context, planned, 'would be');
	await printPlan(context, planned);
	exitWithDifference(context, options, planned.steps);
}

async function planTime(context: Context, at: Date): Promise<Plan> {
	const {noteBoard, planAt} = await loadBoard();
	const plan = await withService(readingOnly(context), async service => planAt(context, service, at));
	noteBoard(context, plan);
	return plan;
}

async function planFile(context: Context, file: string, options: StateOptions): Promise<Plan> {
	const state = await readStateArgument(context, file, options);
	const {preparePlan, noteAboutPlan} = await import('./prepare-plan.ts');
	const planned = await withService(readingOnly(context), async service =>
		preparePlan(context, service, state, {...rulesOf(options), isDifferenceWanted: wantsDifferences(context, options)}),
	);
	noteAboutPlan(context, planned);
	return planned;
}

const rulesOf = ({prune = false, now = false}: StateOptions) => ({isPruning: prune, areTimersIgnored: now});

/** JSON has the old and the new text of a prompt. */
const wantsDifferences = ({options: {isJson}}: Context, {diff = true}: StateOptions): boolean => diff && !isJson;

async function apply(context: Context, given: string | undefined, options: StateOptions): Promise<void> {
	const source = chooseSource(given, options);
	const outcomes = await (source.at === undefined
		? applyFile(context, source.file, options)
		: withService(context, async service => (await loadBoard()).applyAt(context, service, source.at)));
	noteForgottenPrompts(context, outcomes);
	(await import('./run-plan.ts')).throwFailedChanges(outcomes);
}

/** Notes that replaced prompts are not kept where the machine is one of a pipeline, whose folders go with the job (`docs/state-as-code.md`). */
function noteForgottenPrompts({env, note}: Context, outcomes: readonly StepOutcome[]): void {
	const isReplaced = outcomes.some(outcome => !('error' in outcome) && outcome.item.changes.some(({field}) => field === 'prompt'));
	if (isReplaced && (env['CI'] ?? '') !== '') {
		note('A pipeline does not keep the replaced prompts. To bring one back: switchboard history revert, or the earlier file in git.');
	}
}

async function applyFile(context: Context, file: string, options: StateOptions): Promise<readonly StepOutcome[]> {
	const isTyped = file === standardInput && isInteractive(context);
	const unaskable = isTyped ? {taken: 'is the state file'} : {};
	if (isTyped && !context.isSure && !context.isDryRun) {
		// Checked before a person types a file that is then refused.
		refuseUnaskable(context, unaskable);
	}

	const state = await readStateArgument(context, file, options);
	return withService(context, async service => applyState(context, service, state, {...options, unaskable}));
}

/** Makes the plan of a state, asks, and carries it out. */
async function applyState(
	context: Context,
	service: Service,
	state: State,
	options: StateOptions & {readonly unaskable: Unaskable},
): Promise<readonly StepOutcome[]> {
	// Loaded only for this command.
	const [{preparePlan, noteAboutPlan}, {runPlan}] = await Promise.all([import('./prepare-plan.ts'), import('./run-plan.ts')]);
	return runPlan(context, service, {
		makePlan: async isShown =>
			preparePlan(context, service, state, {...rulesOf(options), isDifferenceWanted: isShown && wantsDifferences(context, options)}),
		explain(plan) {
			noteAboutPlan(context, plan);
			return options.unaskable;
		},
	});
}

/** Reports all mistakes of a state file that can be found without a service. */
async function checkState(context: Context, file: string, options: FileOptions): Promise<void> {
	const [{inspectState}, {checkSources}] = await Promise.all([loadReading(), import('./prepare-plan.ts')]);
	const [text, reading] = await readStateText(context, file, options);
	const {state, problems: ownProblems} = await inspectState(text, reading);
	const problems = [...ownProblems, ...(state === undefined ? [] : await checkSources(state))];
	await printJsonOr(
		context,
		{ok: problems.length === 0, findings: problems.map(({place, kind = 'usage', message}) => ({...place, kind, message}))},
		() => {
			if (problems.length === 0) {
				context.print(`The file itself has no mistakes. To check its names too, run: switchboard plan ${shellWord(file)}`);
			}
		},
	);
	if (problems.length > 0) {
		throw problemsError(reading.label, problems);
	}
}
