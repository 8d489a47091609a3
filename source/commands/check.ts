import {SwitchboardError} from '../interface/errors.ts';
import {counted} from '../interface/format-count.ts';
import {examples, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {dataOption} from './data-option.ts';
import {
	chooseLocation,
	databaseUrlOption,
	type LocationOptions,
	shownLocation,
} from './database-option.ts';

const check = async (context: Context, options: LocationOptions): Promise<void> => {
	const location = await chooseLocation(options, context.env);
	const {checkStore} = await import('../service/store/maintenance.ts');
	context.showProgress('Checking the database …');
	const {findings, summary} = await checkStore(location, context.readSignal);
	const problems = findings.filter(({severity}) => severity === 'problem');
	const isInOrder = problems.length === 0;
	if (context.options.isJson) {
		await context.printJson({ok: isInOrder, findings});
	} else {
		context.print(`The database in ${shownLocation(location)} ${isInOrder ? 'is in order' : 'has problems'}.`);
		for (const text of [...findings.map(({severity, message}) => `${severity}: ${message}`), ...summary]) {
			context.print(text);
		}
	}

	if (!isInOrder) {
		throw new SwitchboardError('unexpected', `The check found ${counted(problems.length, 'problem')}.`);
	}
};

export const defineCheck: DefineCommand = (parent, run) => parent
	.command('check')
	.description('check the database of the bundled service, which may be running; change nothing')
	.option(...dataOption)
	.option(...databaseUrlOption)
	.addHelpText('after', examples(
		['switchboard check', 'exit 0 if it is in order, 1 if not'],
		['switchboard check --data ./restored', 'a restored backup, before it is used'],
		['switchboard check --json', 'the findings as JSON'],
	))
	.action(run(check));
