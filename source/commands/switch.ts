import {categories, categoryLabel, categoryOf, categoryWords} from '../interface/categories.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {formatCount} from '../interface/format-count.ts';
import {stateWord} from '../interface/installed-lookup.ts';
import {foldName} from '../interface/name-index.ts';
import type {InstalledAbility} from '../interface/records.ts';
import type {Step, StepOutcome} from '../state/plan.ts';
import {endText} from '../words/timer-words.ts';
import {changeAndReport, changedOf, recordAfter, type ItemReport} from './change-items.ts';
import {severalExitCodes, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {expandGlobs, findInstalled, findTyped, lookUpAbilityIds, readAndFind, readList, refuseSplitNames} from './find-records.ts';
import {globWordsHelp, readWords, requireNamesOption, type RequireNamesOption} from './input/read-text.ts';
import {collectValues, dryRunOption, splitList, wrongChoice} from './options.ts';
import {
	addTimerOptions,
	beginTimers,
	readTimer,
	refuseUnkept,
	switchStep,
	timerJson,
	type GivenTimer,
	type TimerOptions,
} from './timed-switch.ts';
import type {Service} from './with-service.ts';

type ChoiceOptions = {
	readonly all?: boolean;
	/** One list for each time that the option is given. */
	readonly except?: readonly string[];
	readonly category?: string;
	readonly agent?: string;
};

/** True if `--all` means only some of the installed abilities. */
const isNarrowed = ({except, category, agent}: ChoiceOptions): boolean => [except, category, agent].some(value => value !== undefined);

/** Returns an equal text for all words that mean one category. */
const categoryKey = (word: string): string => categoryOf(word) ?? foldName(word.trim());

type Choose = (record: InstalledAbility) => boolean;

export function chooseCategory(records: readonly InstalledAbility[], word: string): Choose {
	const wanted = categoryKey(word);
	const ownCategories = new Set(
		records.map(({category}) => category).filter(category => category !== '' && categoryOf(category) === undefined),
	);
	if (categoryOf(word) === undefined && [...ownCategories].every(category => categoryKey(category) !== wanted)) {
		throw wrongChoice(
			'--category',
			word,
			[...categories.map(known => categoryLabel(known)), ...ownCategories],
			[...categoryWords, ...ownCategories],
		);
	}

	return ({category}) => categoryKey(category) === wanted;
}

export async function chooseTied(
	context: Context,
	service: Service,
	records: readonly InstalledAbility[],
	word: string,
	isToChange = true,
): Promise<Choose> {
	const {name, abilityIds} = await readAndFind(context, service, word, {resource: 'agents', isToChange});
	if (abilityIds === undefined) {
		throw new SwitchboardError(
			'refused',
			`The service does not show which abilities ${name} has.${isToChange ? ' Nothing was done.' : ''}`,
			{nextStep: isToChange ? 'Name the installed abilities instead of using --agent.' : 'Leave out --agent.'},
		);
	}

	const tied = new Set<number | undefined>(abilityIds);
	const abilityIdOf = await lookUpAbilityIds(context, service, records);
	return record => tied.has(abilityIdOf(record));
}

const enabledAfter = (outcome: StepOutcome): boolean | undefined => (recordAfter(outcome) as InstalledAbility | undefined)?.isEnabled;

export function switchJson(outcome: StepOutcome) {
	return {enabled: enabledAfter(outcome) ?? null, changed: changedOf(outcome), ...timerJson(recordAfter(outcome))};
}

/** Running the command again would undo its work. */
const checkFirst = 'Check with “switchboard installed”, then use “switchboard enable” or “switchboard disable”.';

type Switching = {
	/** The wanted state; `undefined` for the opposite of the present one. */
	readonly to?: boolean;
	/** True if `--all` asks too, not only a glob. */
	readonly isAllAsked?: boolean;
};

type SwitchOptions = ChoiceOptions & RequireNamesOption & TimerOptions;

const defineSwitch =
	(name: string, description: string, switching: Switching): DefineCommand =>
	(parent, run) =>
		addTimerOptions(
			parent
				.command(name)
				.description(description)
				.argument('[installed...]', globWordsHelp)
				.option('--all', 'every installed ability')
				.option('--except <list>', 'with --all: except these; ids, names or globs, separated by commas', collectValues)
				.option('--category <category>', 'with --all: only abilities of this category, such as skill or daemon')
				.option('--agent <agent>', 'with --all: only abilities that this agent has'),
			'back',
		)
			.option('--yes', `skip the confirmation of ${switching.isAllAsked ? '--all and of ' : ''}a glob`)
			.option(...requireNamesOption)
			.option(...dryRunOption)
			.examples(
				[`switchboard ${name} pantry`, 'by name'],
				[`switchboard ${name} pantry --for 2h`, 'and back after two hours'],
				[`switchboard ${name} 4 7 deskmusic`, 'several; nothing is changed unless all are found'],
				[`switchboard ${name} 'morning*'`, 'all whose names begin so; show them and ask'],
				[`switchboard ${name} --all --json`, 'every one, with the result of each'],
				[`switchboard ${name} --all --except pantry --dry-run`, 'show what would change, and change nothing'],
				[`switchboard ${name} - < names.txt`, 'the names on standard input, one per line'],
			)
			.exitCodes(...severalExitCodes)
			.action(
				run(async (context, words: readonly string[], options: SwitchOptions) => switchAbilities(context, words, options, switching)),
			);

export const defineEnable = defineSwitch('enable', 'switch installed abilities on', {to: true});

export const defineDisable = defineSwitch('disable', 'switch installed abilities off', {to: false, isAllAsked: true});

export const defineToggle = defineSwitch('toggle', 'switch installed abilities to the other state: on to off, off to on', {});

async function switchAbilities(
	context: Context,
	givenWords: readonly string[],
	options: SwitchOptions,
	switching: Switching,
): Promise<void> {
	checkChoice(givenWords, options);
	const timer = readTimer(context, options);
	const words = await readWords(context, givenWords, options);
	const report: ItemReport = {
		idField: 'installed_cap_id',
		toJson: switchJson,
		toFields: (outcome, name, status) => [outcome.item.record!.id, stateWord(enabledAfter(outcome)), name, status],
		toSentence(name, {isChanged, record}) {
			const verb = context.isDryRun ? (isChanged ? 'would be' : 'is already') : isChanged ? 'is' : 'was already';
			const {isEnabled, timer: end} = record as InstalledAbility;
			return `${name} ${verb} ${stateWord(isEnabled)}${endText(end, context.timeZone, isChanged)}.`;
		},
		doneWord: 'switched',
		statusWord: 'changed',
		...(switching.to === undefined && {nextStep: checkFirst}),
	};
	await changeAndReport(context, report, options.all === true || words.length > 0, async service => {
		const records = await readList(context, service, 'installed');
		await refuseUnkept(service, timer);
		const except = options.except?.flatMap(list =>
			splitList('--except', list, 'Name the installed abilities to leave alone, or leave out --except.'),
		);
		refuseSplitNames(records, except ?? [], {resource: 'installed'});
		const typed = {typed: [...givenWords, ...(except ?? [])], resource: 'installed'} as const;
		const chosen = {
			...options,
			words: expandGlobs(context, records, words, typed),
			...(except && {except: expandGlobs(context, records, except, typed)}),
		};
		const choose = async (list: readonly InstalledAbility[]): Promise<readonly Step[]> => {
			const items = await chooseInstalled(context, service, list, chosen);
			if (items.length === 0) {
				context.note(isNarrowed(options) ? 'No installed ability matches.' : 'Nothing is installed.');
			}

			return items.map(item => stepFor(switching, item, timer));
		};

		const steps = await findTyped(context, givenWords, async () => choose(records));
		const given = new Set(words);
		const isAsked = options.all === true ? switching.isAllAsked === true : chosen.words.some(word => !given.has(word));
		return {
			steps,
			questions: isAsked ? questionsFor(switching, steps, timer) : [],
			ifNo: `Nothing was ${switching.to === undefined ? 'toggled' : `switched ${stateWord(switching.to)}`}.`,
			begin: async () => beginTimers(context, service, timer),
			// A record is sent back whole, and it may have changed by now.
			prepareAgain: async () => choose(await readList(context, service, 'installed')),
		};
	});
}

/**
Checks that either abilities are named or `--all` is given, with its options.

@throws SwitchboardError `usage`
*/
function checkChoice(words: readonly string[], options: ChoiceOptions): void {
	const {all: isAll = false} = options;
	if (!isAll && isNarrowed(options)) {
		throw new SwitchboardError('usage', '--except, --category and --agent need --all.', {nextStep: 'Add --all.'});
	}

	if (isAll === words.length > 0) {
		throw new SwitchboardError(
			'usage',
			isAll ? 'Name installed abilities or use --all, not both.' : 'Name the installed abilities, or use --all.',
			{nextStep: 'List them with: switchboard installed'},
		);
	}
}

/**
Returns the chosen installed abilities: by the names or ids, or with `--all` by all other options.

@throws SwitchboardError if a name, an agent or a category does not exist, or the service does not show the abilities of an agent.
*/
async function chooseInstalled(
	context: Context,
	service: Service,
	records: readonly InstalledAbility[],
	{words, all: isAll = false, except, category, agent}: ChoiceOptions & {readonly words: readonly string[]},
): Promise<readonly InstalledAbility[]> {
	if (!isAll) {
		return findInstalled(context, service, records, words);
	}

	const kept = new Set(except && (await findInstalled(context, service, records, except)));
	const choices = [
		(record: InstalledAbility) => !kept.has(record),
		...(category === undefined ? [] : [chooseCategory(records, category)]),
		...(agent === undefined ? [] : [await chooseTied(context, service, records, agent)]),
	];
	return records.filter(record => choices.every(isChosen => isChosen(record)));
}

/** Returns the step that switches an ability. */
function stepFor({to}: Switching, record: InstalledAbility, timer: GivenTimer | undefined): Step {
	const {id, name, isEnabled} = record;
	const enabled = to ?? (isEnabled === undefined ? undefined : !isEnabled);
	const problem =
		enabled === undefined
			? new SwitchboardError('refused', `The service does not show whether ${name} is on, so it cannot be toggled.`, {
					nextStep: `Use: switchboard enable ${id}, or switchboard disable ${id}`,
				})
			: undefined;
	return switchStep(record, enabled, timer, {problem, advice: to === undefined ? checkFirst : undefined});
}

/** Returns the question before a switch of several abilities, if some would change: once all are off, nobody knows which ones were on. */
function questionsFor({to}: Switching, steps: readonly Step[], timer: GivenTimer | undefined): readonly string[] {
	const changing = steps.filter(({isDone}) => isDone !== true);
	const unknownCount = changing.filter(({record}) => (record as InstalledAbility).isEnabled === undefined).length;
	const abilities = (count: number): string => `${formatCount(count)} ${count === 1 ? 'ability' : 'abilities'}`;
	const subjects = [
		...(changing.length === unknownCount ? [] : [abilities(changing.length - unknownCount)]),
		...(unknownCount === 0 ? [] : [`${abilities(unknownCount)} whose state the service does not show`]),
	];
	const verb = to === undefined ? 'Toggle' : `Switch ${stateWord(to)}`;
	return subjects.length === 0 ? [] : [`${[verb, subjects.join(' and '), timer?.end].filter(Boolean).join(' ')}?`];
}
