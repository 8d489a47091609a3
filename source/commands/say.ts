import {setTimeout as delay} from 'node:timers/promises';
import type {ConversationEvent} from '../client/conversation.ts';
import type {Dialogue, SpokenAnswer} from '../client/dialogue.ts';
import {cleanLines} from '../interface/clean-text.ts';
import {maximumPhraseLength} from '../interface/conversation.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {formatCount} from '../interface/format-count.ts';
import {chooseAgent, type ChosenAgent} from './find-records.ts';
import type {DefineCommand} from './command.ts';
import {printJsonOr, type Context} from './context.ts';
import {eventLines} from './logs.ts';
import {dryRunOption} from './options.ts';
import {withService, type Service} from './with-service.ts';

/** @throws SwitchboardError `usage` for words that cannot be said. */
export function checkPhrase(text: string): string {
	const phrase = text.trim();
	if (phrase === '') {
		throw new SwitchboardError('usage', 'The phrase is empty.');
	}

	if (phrase.length > maximumPhraseLength) {
		throw new SwitchboardError('usage', `A phrase may have ${formatCount(maximumPhraseLength)} characters at most.`);
	}

	return phrase;
}

/** @param said - `undefined` if no answer came. */
export function saidJson({publicName, id}: ChosenAgent, phrase: string, said: SpokenAnswer | undefined) {
	return {
		agent: publicName,
		phrase,
		answer: said?.answer ?? null,
		seconds: said === undefined ? null : Math.round(said.seconds * 1000) / 1000,
		events: eventLines(said?.events ?? []),
		personality_id: id,
	};
}

/** Says a phrase to an agent, and waits for the answer. */
export async function askAgent(context: Context, service: Service, chosen: ChosenAgent, phrase: string): Promise<SpokenAnswer> {
	return converse(context, service, chosen, async dialogue => dialogue.ask(phrase));
}

/** Opens a conversation for one phrase. */
async function converse<Result>(
	{readSignal, options: {timeoutMilliseconds}, showProgress}: Context,
	{client}: Service,
	{id}: ChosenAgent,
	talk: (dialogue: Dialogue) => Promise<Result>,
	onEvent?: (event: ConversationEvent) => void,
): Promise<Result> {
	const {openDialogue} = await import('../client/dialogue.ts');
	showProgress('Waiting for the agent …');
	const dialogue = await openDialogue(client, id, {signal: readSignal, timeoutMilliseconds, onEvent});
	try {
		return await talk(dialogue);
	} catch (error) {
		// The conversation is over then, too, which is less specific.
		readSignal.throwIfAborted();
		throw error;
	} finally {
		dialogue.close();
	}
}

/** How long the service has to show that it has heard a phrase, if the answer is not waited for. */
const hearingMilliseconds = 2000;

export const defineSay: DefineCommand = (parent, run) =>
	parent
		.command('say')
		.description('say something to an agent and print its answer; an ability that hears its phrase starts')
		.argument('<phrase...>', 'the words; they need no quotes')
		.option('--agent <agent>', 'its id, or its name in any case; by default the only one, or the default agent of the account')
		.option('--no-wait', 'end once it is said, without the answer')
		.option(...dryRunOption)
		.notes(`
An agent greets first, and say waits up to 10 seconds for that. It waits for the
answer as long as --timeout allows, by default 30 seconds.

To see which ability a sentence would start: switchboard phrases SENTENCE`)
		.examples(
			['switchboard say lights out', 'to the only agent, or the default one'],
			['switchboard say good night --agent Hearth --json', 'the answer with what was logged before it'],
			['switchboard say good night --no-wait', 'go on at once'],
		)
		.exitCodes(['3', 'the key may not do this'], ['4', 'there is no such agent'], ['5', 'no answer came in time'])
		.action(run(say));

type SayOptions = {readonly agent?: string; readonly wait: boolean};

async function say(context: Context, words: readonly string[], {agent: word, wait: isAnswerWanted}: SayOptions): Promise<void> {
	const phrase = checkPhrase(words.join(' '));
	await withService(context, async service => {
		const chosen = await chooseAgent(context, service, word);
		if (context.isDryRun) {
			await printJsonOr(context, saidJson(chosen, phrase, undefined), () =>
				context.print(`Would say to ${chosen.name}: ${cleanLines(phrase)}`),
			);
			return;
		}

		if (!isAnswerWanted) {
			await tellAgent(context, service, chosen, phrase);
			await printJsonOr(context, saidJson(chosen, phrase, undefined), () => {
				/* Nothing is known yet. */
			});
			return;
		}

		const said = await askAgent(context, service, chosen, phrase);
		await printJsonOr(context, saidJson(chosen, phrase, said), () => context.print(cleanLines(said.answer)));
	});
}

/** Says a phrase to an agent, and waits for any later event: a service may drop the words of somebody who leaves at once. */
async function tellAgent(context: Context, service: Service, chosen: ChosenAgent, phrase: string): Promise<void> {
	const heard = Promise.withResolvers<void>();
	let isSaid = false;
	await converse(
		context,
		service,
		chosen,
		async dialogue => {
			await dialogue.greeted();
			isSaid = true;
			await Promise.race([dialogue.ask(phrase), heard.promise, delay(hearingMilliseconds, undefined, {ref: false})]);
		},
		event => {
			if (isSaid && event.kind !== 'fault') {
				heard.resolve();
			}
		},
	);
}
