import {styleText} from 'node:util';
import {compareFiles} from '../bundle/compare-files.ts';
import {revealText} from '../interface/reveal-text.ts';
import {examples, type DefineCommand} from './command.ts';
import {isForPerson, type Context} from './context.ts';
import {readAndFind} from './find-records.ts';
import type {DiffLine} from './output/unified-diff.ts';
import {readServiceSource} from './source/read-service-source.ts';
import {withService} from './with-service.ts';

/** Tells scripts that there is a difference (`CONTRACT.md`). */
const differentExitCode = 10;

const styles: Readonly<Partial<Record<DiffLine['kind'], Parameters<typeof styleText>[0]>>> = {
	file: 'bold',
	hunk: 'cyan',
	removed: 'red',
	added: 'green',
};

const maximumLineLength = 2000;

/** In a pipe, the lines as they are: changed ones could not be applied, or would say something else. */
const printDiff = (context: Context, lines: readonly DiffLine[]): void => {
	const {print, printData, options} = context;
	if (!isForPerson(context)) {
		printData(lines.map(({text}) => `${text}\n`).join(''));
		return;
	}

	for (const {kind, text} of lines) {
		// A carriage return at the end of a line may be all that differs.
		const end = text.endsWith('\r') ? '^M' : '';
		const shown = revealText(text.replace(/\r$/, ''), maximumLineLength) + end;
		const style = options.isColorWanted ? styles[kind] : undefined;
		print(style === undefined ? shown : styleText(style, shown, {validateStream: false}));
	}
};

const diff = async (context: Context, word: string, folder: string): Promise<void> => {
	// Other commands need neither a zip library nor one that compares texts.
	const [{readSource}, {unifiedDiff}] = await Promise.all([import('../bundle/read-source.ts'), import('./output/unified-diff.ts')]);
	const {files: local} = await readSource(folder);
	const remote = await withService(context, async service => {
		const ability = await readAndFind(context, service, word, {resource: 'abilities', isToChange: false});
		context.showProgress(`Reading the source of ${ability.name} …`);
		return readServiceSource(service, ability, {signal: context.readSignal});
	});
	const changes = compareFiles(remote, local);
	if (context.options.isJson) {
		await context.printJson({same: changes.length === 0, files: changes});
	} else {
		printDiff(context, unifiedDiff(changes, remote, local));
	}

	if (changes.length > 0) {
		context.exitWith(differentExitCode);
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
