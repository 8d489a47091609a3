import {Option} from 'commander';
import {examples, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {noWordsNote, readWords, wordsHelp} from './input/read-words.ts';
import {withService} from './with-service.ts';
import {anyOf, wrongValue} from './wrong-value.ts';

const stateWords = ['on', 'off'];

const parseState = (text: string): boolean => {
	const word = text.toLowerCase();
	if (!stateWords.includes(word)) {
		throw wrongValue('--for', text, anyOf(stateWords));
	}

	return word === 'on';
};

const wait = async (context: Context, givenWords: readonly string[], {for: isWanted}: {readonly for: boolean}): Promise<void> => {
	const words = await readWords(context, givenWords);
	const {reportWaiting, waitForState} = await import('./watch/wait-for-state.ts');
	if (words.length === 0) {
		context.note(noWordsNote);
		await reportWaiting(context, []);
		return;
	}

	await withService(context, async service => context.finishBeforeExit(waitForState(context, service, words, isWanted)));
};

export const defineWait: DefineCommand = (parent, run) => parent
	.command('wait')
	.description('wait until installed abilities are on or off; --timeout limits it')
	.argument('<installed...>', wordsHelp)
	.addOption(new Option('--for <state>', 'the state to wait for').choices(stateWords).argParser(parseState).makeOptionMandatory())
	.addHelpText('after', examples(
		['switchboard wait pantry --for on', 'without limit'],
		['switchboard wait pantry lamps --for off --timeout 60', 'until all are; exit 5 if they are not after 60 s'],
		['switchboard wait - --for on < names.txt', 'those on standard input, one a line'],
	))
	.action(run(wait));
