import {SwitchboardError, toSwitchboardError, unknownOutcomeError} from '../interface/errors.ts';
import {formatCount} from '../interface/format-count.ts';
import type {InstalledAbility} from '../interface/records.ts';
import {applyToEach} from './apply-to-each.ts';
import {
	checkChoice,
	chooseInstalled,
	isNarrowed,
	type ChoiceOptions,
} from './choose-installed.ts';
import {examples, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {dryRunOption, startChange, type DryRunOption} from './dry-run.ts';
import {confirmOnTerminal} from './input/confirm.ts';
import {collectValues} from './input/single-values.ts';
import {
	noWordsNote,
	readWords,
	requireNamesOption,
	wordsHelp,
	type RequireNamesOption,
} from './input/read-words.ts';
import {notSent} from './item-outcome.ts';
import {readList} from './read-list.ts';
import {refuseOtherState} from './refuse-answer.ts';
import {throwFailures} from './report-items.ts';
import {reportSwitched, type Switched, type SwitchOutcome} from './switch-report.ts';
import {resolveUncertain} from './unknown-outcome.ts';
import {withService, type Service} from './with-service.ts';

type Switching = {
	/** The wanted state of an ability, given its current one; `undefined` is a state that the service does not show. */
	readonly wantedState: (isEnabled: boolean | undefined) => boolean | undefined;
	/** False if running the command again would undo its work: then no message suggests that. */
	readonly isRepeatable: boolean;
	/** What to ask on a terminal before `--all` switches these; `undefined` for nothing. */
	readonly questionFor?: (chosen: readonly InstalledAbility[]) => string | undefined;
};

const checkFirst = 'Check with “switchboard installed”, then use “switchboard enable” or “switchboard disable”.';

/** Replaces a next step that may say to try again. */
const withoutRetryAdvice = (error: SwitchboardError): SwitchboardError => {
	const {kind, message, exitCode, status, isOutcomeUnknown} = error;
	return exitCode === 5
		? new SwitchboardError(kind, message, {
			nextStep: checkFirst, status, isOutcomeUnknown, cause: error,
		})
		: error;
};

const switchOne = async ({writeSignal, isDryRun}: Context, {client}: Service, {wantedState, isRepeatable}: Switching, record: InstalledAbility): Promise<Switched> => {
	const {id, name} = record;
	const isWanted = wantedState(record.isEnabled);
	if (isWanted === undefined) {
		throw new SwitchboardError('refused', `The service does not show whether ${name} is on, so it cannot be toggled.`, {
			nextStep: `Use: switchboard enable ${id}, or switchboard disable ${id}`,
		});
	}

	if (record.isEnabled === isWanted) {
		return {isEnabled: isWanted, isChanged: false};
	}

	if (isDryRun) {
		return {isEnabled: isWanted, isChanged: true};
	}

	try {
		refuseOtherState(await client.setEnabled(record, isWanted, writeSignal), isWanted);
		return {isEnabled: isWanted, isChanged: true};
	} catch (error) {
		throw isRepeatable ? error : withoutRetryAdvice(toSwitchboardError(error));
	}
};

const stateSentence = ({name}: InstalledAbility, seen: InstalledAbility | undefined, isWanted: boolean): string => {
	const word = isWanted ? 'on' : 'off';
	return seen?.isEnabled === undefined
		? `It is not known whether ${name} is ${word} now: the change was sent and may still arrive.`
		: `${name} is not ${word} yet: the change was sent and may still arrive.`;
};

/** Looks up the abilities whose change got no answer: those in the wanted state count as switched. */
const resolve = async (context: Context, {client}: Service, {wantedState, isRepeatable}: Switching, outcomes: readonly SwitchOutcome[]): Promise<readonly SwitchOutcome[]> =>
	resolveUncertain(context, outcomes, {
		read: async signal => client.list('installed', signal),
		judge({item, error}, list) {
			const isWanted = wantedState(item.isEnabled)!;
			const seen = list?.records.find(({id}) => id === item.id);
			if (seen?.isEnabled === isWanted) {
				return {item, result: {isEnabled: isWanted, isChanged: true}};
			}

			const isGone = list?.isComplete && seen === undefined;
			const sentence = isGone ? `${item.name} is no longer in the list.` : stateSentence(item, seen, isWanted);
			return {item, seen, error: unknownOutcomeError(error, sentence, isRepeatable ? 'Check with: switchboard installed' : checkFirst)};
		},
	});

/** Switches abilities that are looked up already, and finds out what became of changes that got no answer. Prints nothing. */
export const switchRecords = async (context: Context, service: Service, switching: Switching, records: readonly InstalledAbility[]): Promise<readonly SwitchOutcome[]> => {
	const applied = await applyToEach(context, records, {doing: 'Switching', action: async record => switchOne(context, service, switching, record)});
	return resolve(context, service, switching, applied);
};

type SwitchOptions = ChoiceOptions & DryRunOption & RequireNamesOption & {readonly yes?: boolean};

/** Returns true if the person was asked whether to switch them all. */
const confirmAll = async (context: Context, {questionFor}: Switching, chosen: readonly InstalledAbility[], {all: isAll = false, yes: isSure = false}: SwitchOptions): Promise<boolean> => {
	const question = isAll ? questionFor?.(chosen) : undefined;
	return question !== undefined && confirmOnTerminal(context, isSure, question, 'Nothing was switched off.', async isCut => {
		await reportSwitched(context, chosen.map(item => isCut ? notSent(item, context.readSignal) : {item, result: {isEnabled: item.isEnabled, isChanged: false}}));
	});
};

/** Switches abilities, and prints the outcome of each. */
const switchEach = async (context: Context, service: Service, switching: Switching, chosen: readonly InstalledAbility[]): Promise<readonly SwitchOutcome[]> => {
	const outcomes = await switchRecords(context, service, switching, chosen);
	await reportSwitched(context, outcomes);
	return outcomes;
};

const switchAbilities = async (given: Context, givenWords: readonly string[], options: SwitchOptions, switching: Switching): Promise<void> => {
	const context = startChange(given, options);
	checkChoice(givenWords, options);
	const words = await readWords(context, givenWords, options);
	if (options.all !== true && words.length === 0) {
		context.note(noWordsNote);
		await reportSwitched(context, []);
		return;
	}

	const outcomes = await withService(context, async service => {
		const choose = async () => chooseInstalled(context, service, await readList(context, service, 'installed'), {...options, words});
		let chosen = await choose();
		if (await confirmAll(context, switching, chosen, options)) {
			// A record is sent back whole, and it may be another one by now.
			chosen = await choose();
		}

		if (chosen.length === 0) {
			context.note(isNarrowed(options) ? 'No installed ability fits.' : 'Nothing is installed.');
		}

		return context.finishBeforeExit(switchEach(context, service, switching, chosen));
	});
	throwFailures(outcomes, {
		doneWord: 'switched',
		wordOf: ({isChanged}) => isChanged ? 'switched' : 'unchanged',
		nextStep: switching.isRepeatable ? 'Run the command again for the ones that failed.' : checkFirst,
	});
};

const defineSwitch = (name: string, description: string, switching: Switching): DefineCommand => (parent, run) => {
	const command = parent
		.command(name)
		.description(description)
		.argument('[installed...]', wordsHelp)
		.option('--all', 'every installed ability')
		.option('--except <list>', 'with --all: but not these; ids or names, separated by commas', collectValues)
		.option('--category <category>', 'with --all: only those of this category, such as skill or daemon')
		.option('--agent <agent>', 'with --all: only those that this agent has');
	if (switching.questionFor !== undefined) {
		command.option('--yes', 'skip the confirmation of --all');
	}

	return command
		.option(...requireNamesOption)
		.option(...dryRunOption)
		.addHelpText('after', examples(
			[`switchboard ${name} pantry`, 'by name'],
			[`switchboard ${name} 4 7 deskmusic`, 'several; nothing is changed unless all are found'],
			[`switchboard ${name} --all --json`, 'every one, with the result of each'],
			[`switchboard ${name} --all --except pantry --dry-run`, 'show what would change, and change nothing'],
			[`switchboard ${name} - < names.txt`, 'the names on standard input, one per line'],
		))
		.action(run(async (context, words: readonly string[], options: SwitchOptions) => switchAbilities(context, words, options, switching)));
};

/** Switching to a state, whatever the present one is. */
export const switchingTo = (isEnabled: boolean): Switching => ({wantedState: () => isEnabled, isRepeatable: true});

export const defineEnable = defineSwitch('enable', 'switch installed abilities on', switchingTo(true));

/** Which ones were on is forgotten when all are off. */
const questionForAll = (chosen: readonly InstalledAbility[]): string | undefined => {
	const onCount = chosen.filter(({isEnabled}) => isEnabled).length;
	const unknownCount = chosen.filter(({isEnabled}) => isEnabled === undefined).length;
	const abilities = (count: number): string => `${formatCount(count)} ${count === 1 ? 'ability' : 'abilities'}`;
	const subjects = [
		...(onCount === 0 ? [] : [abilities(onCount)]),
		...(unknownCount === 0 ? [] : [`${abilities(unknownCount)} whose state the service does not show`]),
	];
	return subjects.length === 0 ? undefined : `Switch off ${subjects.join(' and ')}?`;
};

export const defineDisable = defineSwitch('disable', 'switch installed abilities off', {...switchingTo(false), questionFor: questionForAll});

export const defineToggle = defineSwitch('toggle', 'toggle installed abilities: on to off, off to on', {
	wantedState: isEnabled => isEnabled === undefined ? undefined : !isEnabled,
	isRepeatable: false,
});
