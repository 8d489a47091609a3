import {setImmediate as nextTurn} from 'node:timers/promises';
import type {Conversation, ConversationEvent} from '../client/conversation.ts';
import type {Dialogue, SpokenAnswer} from '../client/dialogue.ts';
import {cleanLines, cleanText} from '../interface/clean-text.ts';
import {signalErrors, SwitchboardError, toSwitchboardError, throwIfAny} from '../interface/errors.ts';
import {stringifyJson} from '../interface/json.ts';
import {spokenForm} from '../interface/trigger-phrases.ts';
import type {InputStream} from '../platform/standard-streams.ts';
import {chooseAgent, type ChosenAgent} from './find-records.ts';
import {runUntilInterrupted, type DefineCommand} from './command.ts';
import {isForPerson, isInteractive, toPublicError, type Context} from './context.ts';
import {openTalkLine} from './input/talk-line.ts';
import {createLossNotes, lineText} from './logs.ts';
import {dryRunOption} from './options.ts';
import {checkPhrase, saidJson} from './say.ts';
import {withService, type Service} from './with-service.ts';

type Chat = {
	readonly context: Context;
	readonly service: Service;
	readonly chosen: ChosenAgent;
	/** Ends it. */
	readonly signal: AbortSignal;
};

const unknownHearing = (phrase: string): string => `It is not known whether “${cleanText(phrase, 80)}” was heard.`;

/** Lines that are kept until the agent can hear them. */
const mostWaiting = 20;

/** Phrases that a service may still repeat. */
const mostRepeated = 100;

/** Tells this person's phrases, which the service repeats, from other people's. */
function createOwnPhrases() {
	let own: Array<{readonly spoken: string; isRepeated: boolean}> = [];
	return {
		add(phrase: string): void {
			own = [...own, {spoken: spokenForm(phrase), isRepeated: false}].slice(-mostRepeated);
		},
		/** True for one of this person's phrases. */
		hear(text: string): boolean {
			const same = own.filter(({spoken}) => spoken === spokenForm(text));
			const first = same.find(({isRepeated}) => !isRepeated) ?? same[0];
			if (first !== undefined) {
				first.isRepeated = true;
			}

			return first !== undefined;
		},
		/** After an answer, nothing is repeated any more. */
		answer(): void {
			own = own.filter(({isRepeated}) => !isRepeated);
		},
		clear(): void {
			own = [];
		},
	};
}

/** Lets a person talk: whole turns are printed above the input line, each when it is complete. */
async function chatOnTerminal({
	context,
	service: {client},
	chosen: {id, publicName, name: chosenName},
	signal: given,
}: Chat): Promise<void> {
	const name = publicName === null ? 'Agent' : chosenName;
	const leaving = new AbortController();
	const signal = AbortSignal.any([given, leaving.signal]);
	let conversation: Conversation | undefined;
	let areLogsShown = false;
	/** Typed before anybody could hear it. */
	const waiting: string[] = [];
	/** Phrases that are not answered yet. */
	let unanswered: string[] = [];
	/** The greeting comes after phrases that had waited, and does not answer any. */
	let isGreetingDue = false;
	/** The part of the agent's turn so far. */
	let partOfTurn = '';
	/** Parts of the turn may still arrive. */
	let isInterrupted = false;
	const own = createOwnPhrases();

	const leave = (): void => leaving.abort();

	const endTurn = (): void => {
		partOfTurn = '';
		isInterrupted = false;
	};

	const forgetTurns = (): void => {
		endTurn();
		unanswered = [];
	};

	/** @throws SwitchboardError as `Conversation.say` does. */
	const speak = ({say}: Conversation, phrase: string): void => {
		say(phrase);
		endTurn();
		own.add(phrase);
		unanswered.push(phrase);
	};

	const say = (text: string): void => {
		try {
			const phrase = checkPhrase(text);
			if (conversation !== undefined) {
				speak(conversation, phrase);
			} else if (waiting.length < mostWaiting) {
				waiting.push(phrase);
				show(`Waiting: ${cleanLines(phrase)}`, 'quiet');
			} else {
				show(`Not said, since ${mostWaiting} phrases are already waiting: ${cleanLines(phrase)}`, 'error');
			}
		} catch (error) {
			show(cleanText(toSwitchboardError(error).message), 'error');
		}
	};

	const sayWaiting = (opened: Conversation): void => {
		isGreetingDue = waiting.length > 0;
		for (const phrase of waiting.splice(0)) {
			try {
				speak(opened, phrase);
				show(`Said: ${cleanLines(phrase)}`, 'quiet');
			} catch (error) {
				show(`Not said: ${cleanLines(phrase)}. ${cleanText(toSwitchboardError(error).message)}`, 'error');
			}
		}
	};

	const interrupt = (): void => {
		if (conversation === undefined || isInterrupted || (unanswered.length === 0 && partOfTurn === '')) {
			leave();
			return;
		}

		conversation.interrupt();
		show(
			[partOfTurn === '' ? '' : `${name}: ${cleanLines(partOfTurn)} …\n`, 'Interrupted. Press Ctrl+C again to leave.'].join(''),
			'quiet',
		);
		forgetTurns();
		isInterrupted = true;
	};

	const {prompt, show, close} = openTalkLine(context, signal, {
		line(line) {
			const text = line.trim();
			if (text === '/quit') {
				leave();
			} else if (text === '/logs') {
				areLogsShown = !areLogsShown;
				show(areLogsShown ? 'Logs are shown.' : 'Logs are not shown.', 'quiet');
			} else if (text.startsWith('/')) {
				show('That was not said. The commands are /logs and /quit.', 'warning');
			} else if (text !== '') {
				say(text);
			}
		},
		phrase: say,
		interrupt,
		end: leave,
	});
	const lossNotes = createLossNotes(text => show(cleanLines(text), 'warning'));

	const onEvent = (event: ConversationEvent): void => {
		if (event.kind === 'fault') {
			forgetTurns();
			show(cleanText(event.text), 'error');
		} else if (event.kind !== 'turn') {
			if (areLogsShown) {
				show(lineText(event), 'quiet');
			}
		} else if (event.role === 'user') {
			if (event.isFinal && !own.hear(event.text)) {
				show(`Said elsewhere: ${cleanLines(event.text)}`, 'quiet');
			}
		} else if (event.isFinal) {
			endTurn();
			own.answer();
			if (!isGreetingDue) {
				unanswered.shift();
			}

			isGreetingDue = false;
			show(`${name}: ${cleanLines(event.text)}`);
		} else {
			partOfTurn = event.text;
		}
	};

	context.note('Type a phrase. /logs shows logs, Ctrl+C interrupts, /quit leaves.');
	prompt();
	const {keepConversation} = await import('../client/conversation.ts');
	try {
		const error = await keepConversation(
			async ending => client.openConversation(id, onEvent, ending),
			{
				onOpen(opened) {
					conversation = opened;
					lossNotes.open();
					sayWaiting(opened);
				},
				onLost(error) {
					conversation = undefined;
					for (const phrase of unanswered) {
						show(unknownHearing(phrase), 'warning');
					}

					forgetTurns();
					own.clear();
					lossNotes.lost(error);
				},
			},
			signal,
		);
		throwIfAny(error);
	} finally {
		close();
		for (const phrase of waiting) {
			context.note(`Not said: ${phrase}`, 'warning');
		}
	}
}

/** For a line without an end, which readline would keep in memory. */
const mostLineCharacters = 1024 * 1024;

/**
Reads standard input by lines, until it ends or the signal comes.

@yields each line.
@throws SwitchboardError `too-large`
*/
async function* readLines(stdin: InputStream, signal: AbortSignal): AsyncGenerator<string> {
	const end = (): void => {
		stdin.destroy();
	};

	signal.addEventListener('abort', end, {once: true});
	const decoder = new TextDecoder();
	let rest = '';
	for await (const chunk of stdin) {
		const lines = (rest + decoder.decode(chunk as Uint8Array, {stream: true})).split('\n');
		rest = lines.pop()!;
		yield* lines;
		if (rest.length > mostLineCharacters) {
			throw new SwitchboardError('too-large', 'A line of standard input is longer than 1 MB.');
		}
	}

	signal.removeEventListener('abort', end);
	yield rest;
}

/** Says each line of standard input, and prints the answer in one line. */
async function chatInPipe({context, service: {client}, chosen, signal}: Chat): Promise<void> {
	const {note} = context;
	const {isJson, timeoutMilliseconds} = context.options;
	const {stdin} = context.streams;
	const [{openDialogue}, {keepConversation}] = await Promise.all([import('../client/dialogue.ts'), import('../client/conversation.ts')]);
	const lossNotes = createLossNotes(note);
	const ending = new AbortController();
	let opened = Promise.withResolvers<Dialogue>();
	let current: Dialogue | undefined;
	const keeping = keepConversation(
		async each => {
			const dialogue = await openDialogue(client, chosen.id, {signal: each, timeoutMilliseconds});
			return {dialogue, ended: dialogue.conversation.ended};
		},
		{
			onOpen({dialogue}) {
				current = dialogue;
				opened.resolve(dialogue);
				lossNotes.open();
			},
			onLost(error) {
				current = undefined;
				opened = Promise.withResolvers();
				lossNotes.lost(error);
			},
		},
		AbortSignal.any([signal, ending.signal]),
	);
	const over = keeping.then((error = signalErrors.SIGINT): never => {
		throw error;
	});
	over.catch(() => undefined);

	const ask = async (phrase: string): Promise<SpokenAnswer> => {
		const dialogue = await Promise.race([opened.promise, over]);
		try {
			return await dialogue.ask(phrase);
		} catch (error) {
			// By then the end of the conversation, which may be the reason, is known.
			await nextTurn();
			if (current !== dialogue && !signal.aborted) {
				note(unknownHearing(phrase), 'warning');
			}

			throw error;
		}
	};

	const failures: SwitchboardError[] = [];
	let count = 0;
	const answer = async (phrase: string): Promise<void> => {
		let said: SpokenAnswer | undefined;
		let failure: SwitchboardError | undefined;
		count++;
		try {
			said = await ask(checkPhrase(phrase));
		} catch (error) {
			failure = toSwitchboardError(error);
			// Nothing later would be heard either.
			if (signal.aborted || ['forbidden', 'key-refused', 'not-found', 'read-only'].includes(failure.kind)) {
				throw error;
			}

			failures.push(failure);
			note(`${cleanText(phrase, 80)}: ${failure.message}`, 'error');
		}

		if (isJson) {
			context.printData(
				`${stringifyJson({...saidJson(chosen, phrase, said), ...(failure !== undefined && {error: toPublicError(failure)})}, 0)}\n`,
			);
		} else {
			// A line without an answer gets an empty line, so that each phrase has one.
			context.print(cleanText(said?.answer ?? '', 200_000));
		}
	};

	try {
		for await (const line of readLines(stdin, signal)) {
			const phrase = line.trim();
			if (phrase !== '') {
				await answer(phrase);
			}
		}
	} finally {
		ending.abort();
		await keeping;
	}

	if (failures.length > 0) {
		throw count === 1
			? failures[0]!
			: new SwitchboardError('some-failed', `${failures.length} of ${count} phrases had no answer.`, {nextStep: 'Say them again.'});
	}
}

const chat = async (context: Context, word: string | undefined): Promise<void> =>
	runUntilInterrupted(context, async signal =>
		withService(context, async service => {
			const chosen = await chooseAgent(context, service, word);
			if (context.isDryRun) {
				context.note(`Would talk to ${chosen.name}.`);
				return;
			}

			const isOnTerminal = isInteractive(context) && isForPerson(context) && !context.options.isJson && context.env['TERM'] !== 'dumb';
			await (isOnTerminal ? chatOnTerminal : chatInPipe)({context, service, chosen, signal});
		}),
	);

export const defineChat: DefineCommand = (parent, run) =>
	parent
		.command('chat')
		.description('talk to an agent: on a terminal, or with a phrase on each line of standard input')
		.argument('[agent]', 'its id, or its name in any case; by default the only one, or the default agent of the account')
		.option(...dryRunOption)
		.notes(`
On a terminal each turn is printed when it is complete. Ctrl+C interrupts the
agent while it answers; otherwise it leaves, as Ctrl+D and /quit do. /logs shows
or hides the logs of abilities. Up recalls earlier phrases. Text that is typed
before the conversation is open is said once it is. Several pasted lines are one
phrase, which is said once you confirm it.

In a pipe each line is said once the line before it is answered. Each answer is
one line or, with --json, an object as printed by say. For a phrase without an
answer an empty line is printed. --timeout is the limit for each answer, by
default 30 seconds.

If the conversation is cut off, it is opened again after growing pauses. Phrases
without an answer are not said again.`)
		.examples(['switchboard chat Hearth', 'talk to Hearth'], ['switchboard chat Hearth < phrases.txt', 'say each line of a file'])
		.exitCodes(
			['0', 'left by Ctrl+C, Ctrl+D or /quit, or all was answered'],
			['5', 'the only phrase had no answer'],
			['6', 'some of several had none'],
		)
		.action(run(chat, {isEndedBySignal: true}));
