import {SwitchboardError} from '../interface/errors.ts';
import type {State} from '../state/state.ts';
import {examples, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {
	dryRunOption,
	noteDryRun,
	startChange,
	type DryRunOption,
} from './dry-run.ts';
import {refuseUnaskable} from './input/confirm.ts';
import {standardInput} from './input/read-text.ts';
import {
	allowOutsideOption,
	formatHelp,
	pruneOption,
	readStateArgument,
	stateArgument,
	type StateOptions,
} from './state/read-state-argument.ts';
import type {StepOutcome} from './state/step-outcome.ts';
import {withService, type Service} from './with-service.ts';

type ApplyOptions = StateOptions & DryRunOption & {readonly yes?: boolean};

const refuseQuestion = (context: Context, file: string): void => {
	refuseUnaskable(context, false, 'apply the file');
	if (file === standardInput) {
		throw new SwitchboardError('usage', 'Cannot ask for confirmation: standard input is the state file.', {nextStep: 'Use --yes to apply it without confirmation.'});
	}
};

/** Makes the plan, asks, carries it out and prints the outcome of each change; without `isSure` and a yes, nothing is done. */
const applyState = async (
	context: Context,
	service: Service,
	state: State,
	{prune: isPruning = false, dryRun: isDryRun = false, yes: isSure = false}: ApplyOptions,
): Promise<readonly StepOutcome[]> => {
	// Other commands need none of it.
	const [{preparePlan}, {printPlan}, {confirmPlan}, {applyPlan}, {reportOutcomes}, {warnOfSilentSkills}, {refuseEmptyPrompts}, {showPromptDifferences}] = await Promise.all([
		import('./state/prepare-plan.ts'),
		import('./state/print-plan.ts'),
		import('./state/confirm-plan.ts'),
		import('./state/apply-plan.ts'),
		import('./state/report-outcomes.ts'),
		import('./state/warn-of-silent-skills.ts'),
		import('./state/apply-agents.ts'),
		import('./replace-prompt.ts'),
	]);
	const makePlan = async () => preparePlan(context, service, state, {isPruning});
	const plan = await makePlan();
	warnOfSilentSkills(context, plan);
	if (isDryRun || plan.steps.length === 0) {
		await printPlan(context, plan);
		noteDryRun(context);
		return [];
	}

	refuseEmptyPrompts(context, plan.steps);
	if (!isSure) {
		await showPromptDifferences(context, plan.steps);
	}

	const agreed = isSure ? plan : await confirmPlan(context, plan, makePlan);
	const carryOut = async (): Promise<readonly StepOutcome[]> => {
		const outcomes = await applyPlan(context, service, agreed);
		await reportOutcomes(context, outcomes, agreed);
		return outcomes;
	};

	return context.finishBeforeExit(carryOut());
};

const apply = async (given: Context, file: string, options: ApplyOptions): Promise<void> => {
	const context = startChange(given, options);
	if (!options.yes && !options.dryRun) {
		refuseQuestion(context, file);
	}

	const state = await readStateArgument(context, file, options);
	const outcomes = await withService(context, async service => applyState(context, service, state, options));
	const {throwFailedChanges} = await import('./state/report-outcomes.ts');
	throwFailedChanges(outcomes);
};

export const defineApply: DefineCommand = (parent, run) => parent
	.command('apply')
	.description('make agents and abilities as a state file says; what it does not name is left alone')
	.argument(...stateArgument)
	.option(...pruneOption)
	.option(...dryRunOption)
	.option('--yes', 'ask nothing; also allows empty prompts, and the loss of prompts that cannot be kept')
	.option(...allowOutsideOption)
	.addHelpText('after', examples(
		['switchboard apply home.yaml', 'shows the plan, and how prompts would change, and asks'],
		['switchboard apply home.yaml --yes', 'for scripts; safe to run again'],
		['switchboard apply - --yes < home.yaml', 'from standard input'],
	))
	.addHelpText('after', formatHelp)
	.action(run(apply));
