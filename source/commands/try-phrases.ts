import {setTimeout as delay} from 'node:timers/promises';
import {Option} from 'commander';
import type {ConversationEvent} from '../client/conversation.ts';
import type {Dialogue, SpokenAnswer} from '../client/dialogue.ts';
import {cleanText} from '../interface/clean-text.ts';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {counted} from '../interface/format-count.ts';
import {indexNames} from '../interface/name-index.ts';
import {rawName, type InstalledAbility} from '../interface/records.ts';
import {countsFor, isWithin, spokenForm, startingPhrases, type InstalledListener} from '../interface/trigger-phrases.ts';
import {ambiguousName, missingName} from '../state/plan.ts';
import {problemsError, type State} from '../state/state.ts';
import {readStateArgument} from './apply.ts';
import type {DefineCommand} from './command.ts';
import {toPublicError, type Context} from './context.ts';
import {expandGlobs, findInstalled, findTyped, chooseAgent, toChosen, type ChosenAgent} from './find-records.ts';
import {parseTimeout, timeoutValue} from './global-options.ts';
import {requireYes} from './input/confirm.ts';
import {globWordsHelp, readWords, requireNamesOption, standardInput, type RequireNamesOption} from './input/read-text.ts';
import {dryRunOption, wrongValue} from './options.ts';
import type {Column} from './output/lay-table.ts';
import {addTableOptions, printRows, type TableOptions} from './output/table.ts';
import {readListeners} from './phrases.ts';
import {withService, type Service} from './with-service.ts';

type TestOptions = RequireNamesOption &
	TableOptions & {
		readonly all?: boolean;
		readonly state?: string;
		readonly agent?: string;
		/** Milliseconds. */
		readonly pause: number;
		readonly strict?: boolean;
	};

type Trial = {
	readonly listener: InstalledListener;
	readonly abilityId: number | undefined;
	readonly phrase: string;
	readonly agent: ChosenAgent;
};

/** A phrase that was said; in a dry run only the phrase. */
type Tried = Trial & {
	readonly result?: 'named' | 'answered' | 'silent';
	readonly seconds?: number;
	readonly answer?: string | undefined;
	readonly error?: SwitchboardError | undefined;
};

const columns: ReadonlyArray<Column<Tried>> = [
	{title: 'ABILITY', text: ({listener}) => listener.name, minimumWidth: 10},
	{title: 'PHRASE', text: ({phrase}) => cleanText(phrase), minimumWidth: 12},
	{
		title: 'RESULT',
		text: ({result}) => result ?? '–',
		tone: ({result}) => (result === undefined ? undefined : ({named: 'on', answered: 'changed', silent: 'error'} as const)[result]),
	},
	{title: 'SECONDS', text: ({seconds}) => seconds?.toFixed(1) ?? '', givesWay: 1},
	{title: 'AGENT', text: ({agent}) => agent.name, givesWay: 2, minimumWidth: 8},
	{title: 'ANSWER', text: ({answer, error}) => cleanText(answer ?? error?.message ?? ''), givesWay: 3, minimumWidth: 12},
];

const toJson = ({listener: {record}, abilityId, phrase, agent, result, seconds, answer, error}: Tried) => ({
	capability_id: abilityId ?? null,
	name: rawName(record),
	phrase,
	result: result ?? null,
	seconds: seconds === undefined ? null : Math.round(seconds * 1000) / 1000,
	agent: agent.publicName,
	personality_id: agent.id,
	answer: answer ?? null,
	...(error !== undefined && {error: toPublicError(error)}),
});

function parsePause(text: string): number {
	const milliseconds = text === '0' ? 0 : parseTimeout(text);
	if (milliseconds === undefined) {
		throw wrongValue('--pause', text, `0, or ${timeoutValue}`);
	}

	return milliseconds;
}

/** @throws SwitchboardError `usage` unless abilities are chosen in one way. */
function checkChoice(words: readonly string[], {all: isAll = false, state}: TestOptions): void {
	if ([words.length > 0, isAll, state !== undefined].filter(Boolean).length !== 1) {
		throw new SwitchboardError('usage', 'Name installed abilities, or use --state or --all, but only one of these.', {
			nextStep: 'List them with: switchboard installed',
		});
	}
}

/** Returns the installed abilities that a state switches on. */
function findInState({label, installed}: State, records: readonly InstalledAbility[]): readonly InstalledAbility[] {
	const names = {...indexNames(records), isComplete: true};
	const entries = installed.filter(({isEnabled}) => isEnabled === true).map(entry => ({entry, found: names.find(entry.name)}));
	const problems = entries
		.filter(({found}) => found.length !== 1)
		.map(({entry, found}) => (found.length > 1 ? ambiguousName(entry, found) : missingName(entry, 'installed ability', [names])));
	if (problems.length > 0) {
		throw problemsError(label, problems);
	}

	return entries.map(({found}) => found[0]!);
}

/** Returns the reason why an ability cannot be tried by a phrase; `undefined` if it can. */
function obstacleOf(listener: InstalledListener, agent: ChosenAgent | undefined): string | undefined {
	if (listener.isEnabled === false) {
		return 'it is off';
	}

	if (startingPhrases(listener).length === 0) {
		return (
			{background_daemon: 'a daemon has no phrases', brain_skill: 'the agent decides when it runs'}[listener.category] ??
			'it has no trigger phrases'
		);
	}

	return agent !== undefined && agent.id !== 0 && !countsFor(listener, agent.id) ? `${agent.name} does not have it` : undefined;
}

type Chosen = {
	readonly words: readonly string[];
	readonly typed: readonly string[];
	readonly state: State | undefined;
	readonly isAll: boolean;
};

async function chooseAbilities(
	context: Context,
	service: Service,
	records: readonly InstalledAbility[],
	{words, typed, state, isAll}: Chosen,
): Promise<readonly InstalledAbility[]> {
	if (state !== undefined) {
		return findInState(state, records);
	}

	return isAll
		? records.filter(({isEnabled}) => isEnabled !== false)
		: findTyped(context, typed, async () =>
				findInstalled(context, service, records, expandGlobs(context, records, words, {typed, resource: 'installed'})),
			);
}

/** Returns all phrases to say, agent by agent. */
async function planTrials(context: Context, service: Service, agentWord: string | undefined, chosen: Chosen): Promise<readonly Trial[]> {
	const {agents, listeners, abilityIdOf} = await readListeners(context, service);
	const abilities = new Set(
		await chooseAbilities(
			context,
			service,
			listeners.map(({record}) => record),
			chosen,
		),
	);
	const given = agentWord === undefined ? undefined : await chooseAgent(context, service, agentWord);
	let otherwise: ChosenAgent | undefined;
	const trials: Trial[] = [];
	for (const listener of listeners) {
		if (!abilities.has(listener.record)) {
			continue;
		}

		const obstacle = obstacleOf(listener, given);
		if (obstacle !== undefined) {
			context.note(`${listener.name} is left out: ${obstacle}.`);
			continue;
		}

		const tied = agents.find(({id}) => listener.agentIds.includes(id));
		const agent = given ?? (tied === undefined ? (otherwise ??= await chooseAgent(context, service, undefined)) : toChosen(tied));
		trials.push(...startingPhrases(listener).map(phrase => ({listener, abilityId: abilityIdOf(listener.record), phrase, agent})));
	}

	return [...Map.groupBy(trials, ({agent}) => agent.id).values()].flat();
}

/**
Says phrases one at a time. After a phrase without an answer it opens a new conversation, so that a late answer is not taken for the next
one.
*/
function createTrying({readSignal}: Context, {client}: Service, pauseMilliseconds: number) {
	let opened: {readonly agentId: number; readonly dialogue: Dialogue} | undefined;
	/** The name of the ability in spoken form, and whether the conversation has named it. */
	let [name, isNamed] = ['', false];
	const lookForName = (text: string): void => {
		isNamed ||= isWithin(spokenForm(text), name);
	};

	const onEvent = (event: ConversationEvent): void => {
		if (event.kind !== 'turn' && event.kind !== 'fault') {
			lookForName(event.text);
		}
	};

	const close = (): void => {
		opened?.dialogue.close();
		opened = undefined;
	};

	const open = async (agentId: number): Promise<Dialogue> => {
		if (opened?.agentId !== agentId) {
			close();
			const {openDialogue} = await import('../client/dialogue.ts');
			opened = {agentId, dialogue: await openDialogue(client, agentId, {onEvent, signal: readSignal})};
			await opened.dialogue.greeted();
		}

		return opened.dialogue;
	};

	return {
		close,
		/** @throws the reason of the signal that ends the command. */
		async try(trial: Trial): Promise<Tried> {
			const startedAt = performance.now();
			[name, isNamed] = [spokenForm(trial.listener.name), false];
			let said: SpokenAnswer | undefined;
			let error: SwitchboardError | undefined;
			try {
				const dialogue = await open(trial.agent.id);
				said = await dialogue.ask(trial.phrase);
				lookForName(said.answer);
				await delay(pauseMilliseconds, undefined, {signal: readSignal});
			} catch (error_) {
				if (said === undefined) {
					readSignal.throwIfAborted();
					error = toSwitchboardError(error_);
					close();
				}
			}

			return {
				...trial,
				result: isNamed ? 'named' : said === undefined ? 'silent' : 'answered',
				seconds: said?.seconds ?? (performance.now() - startedAt) / 1000,
				answer: said?.answer,
				// The result says that no answer came in time.
				error: isNamed || error?.kind === 'timeout' ? undefined : error,
			};
		},
	};
}

async function tryAll(context: Context, service: Service, trials: readonly Trial[], options: TestOptions): Promise<readonly Tried[]> {
	const tried: Tried[] = [];
	const trying = createTrying(context, service, options.pause);
	try {
		for (const trial of trials) {
			context.readSignal.throwIfAborted();
			context.showProgress(`Saying “${cleanText(trial.phrase)}” to ${trial.agent.name} (${tried.length + 1} of ${trials.length}) …`);
			tried.push(await trying.try(trial));
		}
	} catch (error) {
		// The results so far are printed, however the command ends.
		if (!context.readSignal.aborted) {
			throw error;
		}
	} finally {
		trying.close();
	}

	await printResults(context, tried, options);
	context.readSignal.throwIfAborted();
	return tried;
}

const printResults = async (context: Context, tried: readonly Tried[], options: TestOptions): Promise<void> =>
	printRows(context, columns, tried, {ifEmpty: 'Nothing was said.', options, json: tried.map(each => toJson(each))});

async function test(context: Context, givenWords: readonly string[], options: TestOptions): Promise<void> {
	checkChoice(givenWords, options);
	const words = await readWords(context, givenWords, options);
	// Only its names count.
	const state = options.state === undefined ? undefined : await readStateArgument(context, options.state, {allowOutside: true});
	// The phrases take long, and do not count as work on a file.
	context.session?.file.leave();
	const tried = await withService(context, async service => {
		const trials = await planTrials(context, service, options.agent, {words, typed: givenWords, state, isAll: options.all ?? false});
		if (context.isDryRun || trials.length === 0) {
			await printResults(context, trials, options);
			return [];
		}

		const names = [...new Set(trials.map(({agent}) => agent.name))].join(', ');
		if (!context.isSure) {
			await requireYes(context, `Say ${counted(trials.length, 'phrase')} to ${names}? The abilities will start.`, {
				taken: givenWords.includes(standardInput) || options.state === standardInput ? 'has the names' : undefined,
				ifNo: 'Nothing was said.',
				report: context.options.isJson ? async () => context.printJson([]) : undefined,
			});
		}

		return context.finishBeforeExit(tryAll(context, service, trials, options));
	});
	const failed = tried.filter(({result}) => result === 'silent' || (options.strict && result === 'answered'));
	if (failed.length > 0) {
		throw new SwitchboardError(
			'some-failed',
			`${failed.length} of ${counted(tried.length, 'phrase')} ${options.strict ? 'had no answer or log entry with the name of the ability' : 'had no answer'}.`,
		);
	}
}

export const defineTest: DefineCommand = (parent, run) =>
	addTableOptions(parent.command('test'), columns)
		.description('say each trigger phrase to its agent and report the answer. This starts the abilities.')
		.argument('[installed...]', globWordsHelp)
		.option('--all', 'every installed ability that is on')
		.option('--state <file>', 'the abilities that this state file switches on; “-” for standard input')
		.option('--agent <agent>', 'say all to this agent (default: the first that has the ability, else the default one)')
		.addOption(
			new Option('--pause <duration>', 'how long to wait after an answer for what the ability logs: 0, 2, 500ms or 1m')
				.argParser(parsePause)
				.default(1000, '1s'),
		)
		.option('--strict', 'fail unless the answer or the logs name each ability')
		.option('--yes', 'skip the confirmation')
		.option(...requireNamesOption)
		.option(...dryRunOption)
		.notes(`
The result of a phrase is “named” if the answer, or what is logged, has the name
of the ability; “answered” if there is only an answer; “silent” if none comes
within 30 seconds. Abilities that are off, daemons, brain skills and those
without phrases are left out, and standard error says so.`)
		.examples(
			['switchboard test goodnight', 'say each phrase of it, after a question'],
			['switchboard test --all --dry-run', 'list the phrases, and say nothing'],
			['switchboard test --state home.yaml --strict --yes', 'for scripts: all that the file names as on'],
		)
		.exitCodes(
			['0', 'each phrase was answered'],
			['4', 'a name was not found; nothing was said'],
			['6', 'a phrase was silent; with --strict also: only answered'],
		)
		.action(run(test));
