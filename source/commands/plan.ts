import {examples, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {exitCodeOption, exitWithDifference, type ExitCodeOption} from './exit-code-option.ts';
import {
	allowOutsideOption,
	formatHelp,
	pruneOption,
	readStateArgument,
	stateArgument,
	type StateOptions,
} from './state/read-state-argument.ts';
import {withService} from './with-service.ts';

const plan = async (context: Context, file: string, options: StateOptions & ExitCodeOption): Promise<void> => {
	const state = await readStateArgument(context, file, options);
	// Other commands need none of it.
	const [{preparePlan}, {printPlan}, {warnOfSilentSkills}] = await Promise.all([
		import('./state/prepare-plan.ts'),
		import('./state/print-plan.ts'),
		import('./state/warn-of-silent-skills.ts'),
	]);
	// A client that is read-only sends no write, whatever happens.
	const reading: Context = {...context, options: {...context.options, isReadOnly: true}};
	const planned = await withService(reading, async service => preparePlan(context, service, state, {isPruning: options.prune ?? false}));
	warnOfSilentSkills(context, planned);
	await printPlan(context, planned);
	exitWithDifference(context, options, planned.steps);
};

export const definePlan: DefineCommand = (parent, run) => parent
	.command('plan')
	.description('show what apply would change; changes nothing')
	.argument(...stateArgument)
	.option(...pruneOption)
	.option(...exitCodeOption)
	.option(...allowOutsideOption)
	.addHelpText('after', examples(
		['switchboard plan home.yaml', 'a line for each change, such as: ~ pantry: off → on'],
		['switchboard plan home.yaml --exit-code', 'for scripts: exit 10 where something differs'],
		['switchboard plan home.yaml --json | jq .changes', 'with the old and the new value of each field'],
	))
	.addHelpText('after', formatHelp)
	.action(run(plan));
