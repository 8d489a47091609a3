import type {DefineCommand} from './command.ts';

export const defineStatus: DefineCommand = (parent, run) =>
	parent
		.command('status')
		.description('show which service and key are used, where each comes from, and whether they work')
		.notes(`
It reads the lists of the service, its check of the key and its description of
itself (OpenAPI) to say which commands work. Nothing is changed.`)
		.examples(
			['switchboard status', 'the first thing to run when something is wrong'],
			['switchboard status --profile work', 'for another profile'],
			['switchboard status --json | jq .operations.install_ability', 'true, false, or null where it is not known'],
		)
		.action(run(async context => context.finishBeforeExit((await import('./status/report.ts')).showStatus(context))));
