import {Option} from 'commander';
import {examples, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {
	noWordsNote,
	readWords,
	requireNamesOption,
	wordsHelp,
	type RequireNamesOption,
} from './input/read-words.ts';
import {withService} from './with-service.ts';
import {wrongChoice} from './wrong-value.ts';

const stateWords = ['on', 'off'];

const parseState = (text: string): boolean => {
	const word = text.toLowerCase();
	if (!stateWords.includes(word)) {
		throw wrongChoice('--for', text, stateWords);
	}

	return word === 'on';
};

const wait = async (context: Context, givenWords: readonly string[], {for: isWanted, ...options}: RequireNamesOption & {readonly for: boolean}): Promise<void> => {
	const words = await readWords(context, givenWords, options);
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
	.description('wait until installed abilities are on or off, for as long as --timeout allows')
	.argument('<installed...>', wordsHelp)
	.addOption(new Option('--for <state>', 'the state to wait for').choices(stateWords).argParser(parseState).makeOptionMandatory())
	.option(...requireNamesOption)
	.addHelpText('after', [
		'',
		'A stream of changes is followed where the service has one (see: switchboard help',
		'serving). Elsewhere, and while the stream is cut, the list is read every two',
		'seconds.',
	].join('\n'))
	.addHelpText('after', examples(
		['switchboard wait pantry --for on', 'however long it takes'],
		['switchboard wait pantry lamps --for off --timeout 60', 'until both are off; exit 5 if they are not after 60 s'],
		['switchboard wait - --for on < names.txt', 'the names on standard input, one per line'],
	))
	.action(run(wait));
