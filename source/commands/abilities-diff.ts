import {compareFiles} from '../bundle/compare-files.ts';
import {readServiceSource} from '../client/read-service-source.ts';
import {examples, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {differenceExitCode} from './exit-code-option.ts';
import {readAndFind} from './find-records.ts';
import {printDiff} from './output/print-diff.ts';
import {withService} from './with-service.ts';

const diff = async (context: Context, word: string, folder: string): Promise<void> => {
	// Other commands need neither a zip library nor one that compares texts.
	const [{readSource}, {unifiedDiff}] = await Promise.all([import('../bundle/read-source.ts'), import('./output/unified-diff.ts')]);
	const {files: local} = await readSource(folder);
	const remote = await withService(context, async service => {
		const ability = await readAndFind(context, service, word, {resource: 'abilities', isToChange: false});
		context.showProgress(`Reading the source of ${ability.name} …`);
		return readServiceSource(service.client, ability, {signal: context.readSignal});
	});
	const changes = compareFiles(remote, local);
	if (context.options.isJson) {
		await context.printJson({same: changes.length === 0, files: changes});
	} else {
		printDiff(context, unifiedDiff(changes, remote, local));
	}

	if (changes.length > 0) {
		context.exitWith(differenceExitCode);
	}
};

export const defineDiffAbility: DefineCommand = (parent, run) => parent
	.command('diff')
	.description('show how a folder differs from the source of an ability; exit 10 if it does')
	.argument('<ability>', 'an id, or a name in any case')
	.argument('<folder>', 'the folder that would be pushed')
	.addHelpText('after', examples(
		['switchboard abilities diff pantry ./pantry', 'from the service to the folder'],
		['switchboard abilities diff pantry ./pantry --json', 'the names of the files that differ'],
		['switchboard abilities diff pantry ./pantry | patch -R -p1 -d ./pantry', 'take the service\'s version of texts'],
	))
	.action(run(diff));
