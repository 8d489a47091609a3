import type {Command} from 'commander';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import type {InstalledAbility} from '../interface/records.ts';
import {examples, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {applyToEach, throwFailures} from './each.ts';
import {findInstalled} from './find-installed.ts';
import {readList} from './read-list.ts';
import {reportSwitched, type Switched, type SwitchOutcome} from './switch-report.ts';
import {unknownOutcomeError, resolveUncertain} from './unknown-outcome.ts';
import {refuseReadOnly, withService, type Service} from './with-service.ts';

type Switching = {
	/** The state that is wanted of an ability whose state was read as this; `undefined` is one that the service does not show. */
	readonly wantedState: (isEnabled: boolean | undefined) => boolean | undefined;
	/** False where the same command again would take back what did come about: nobody is told to repeat it. */
	readonly isRepeatable: boolean;
};

const instead = 'Look with “switchboard installed”, then use “switchboard enable” or “switchboard disable”.';

/** The error with another next step, where its own may say to try again. */
const withoutRepetition = (error: SwitchboardError): SwitchboardError => {
	const {kind, message, exitCode, status, isOutcomeUnknown} = error;
	return exitCode === 5
		? new SwitchboardError(kind, message, {
			nextStep: instead, status, isOutcomeUnknown, cause: error,
		})
		: error;
};

const refuseUnclearChoice = (words: readonly string[], isAll: boolean): void => {
	if (isAll === (words.length > 0)) {
		throw new SwitchboardError(
			'usage',
			isAll ? '--all stands for every installed ability, so no other can be named beside it.' : 'Which one? Name installed abilities, or say --all.',
			{nextStep: 'See them with: switchboard installed'},
		);
	}
};

const switchOne = async ({signal}: Context, {client}: Service, {wantedState, isRepeatable}: Switching, record: InstalledAbility): Promise<Switched> => {
	const {id, name} = record;
	const isWanted = wantedState(record.isEnabled);
	if (isWanted === undefined) {
		throw new SwitchboardError('refused', `The service does not show whether ${name} is on, so it cannot be toggled.`, {
			nextStep: `Say which: switchboard enable ${id}, or switchboard disable ${id}`,
		});
	}

	if (record.isEnabled === isWanted) {
		return {isEnabled: isWanted, isChanged: false};
	}

	try {
		const {isEnabled} = await client.setEnabled(record, isWanted, signal);
		return {isEnabled, isChanged: isEnabled !== record.isEnabled};
	} catch (error) {
		throw isRepeatable ? error : withoutRepetition(toSwitchboardError(error));
	}
};

const stateSentence = ({name}: InstalledAbility, seen: InstalledAbility | undefined, isWanted: boolean): string => {
	const word = isWanted ? 'on' : 'off';
	return seen?.isEnabled === undefined
		? `It is not known whether ${name} is ${word} now: the change was sent, and it may still arrive.`
		: `${name} is not ${word} yet: the change was sent, and it may still arrive.`;
};

/** Looks up the abilities of whose change no answer came: one that is as wanted was switched. */
const settle = async (context: Context, {client}: Service, {wantedState, isRepeatable}: Switching, outcomes: readonly SwitchOutcome[]): Promise<readonly SwitchOutcome[]> =>
	resolveUncertain(context, outcomes, {
		read: async signal => client.listInstalled(signal),
		judge({item, error}, list) {
			const isWanted = wantedState(item.isEnabled)!;
			const seen = list?.records.find(({id}) => id === item.id);
			if (seen?.isEnabled === isWanted) {
				return {item, result: {isEnabled: isWanted, isChanged: true}};
			}

			const isGone = list?.isComplete && seen === undefined;
			const sentence = isGone ? `${item.name} is not in the list any more.` : stateSentence(item, seen, isWanted);
			return {item, seen, error: unknownOutcomeError(error, sentence, isRepeatable ? 'Look again with: switchboard installed' : instead)};
		},
	});

const switchAbilities = async (context: Context, words: readonly string[], isAll: boolean, switching: Switching): Promise<void> => {
	refuseReadOnly(context);
	refuseUnclearChoice(words, isAll);
	const outcomes = await withService(context, async service => {
		const records = await readList(context, service, 'installed');
		const chosen = isAll ? records : await findInstalled(context, service, records, words);
		const switchAll = async (): Promise<readonly SwitchOutcome[]> => {
			const tried = await applyToEach(context, chosen, async record => switchOne(context, service, switching, record));
			const settled = await settle(context, service, switching, tried);
			reportSwitched(context, settled);
			return settled;
		};

		return context.finishBeforeExit(switchAll());
	});
	if (outcomes.length === 0) {
		context.note('Nothing is installed.');
	}

	throwFailures(outcomes, {
		doneWord: 'switched',
		wordOf: ({isChanged}) => isChanged ? 'switched' : 'as it was',
		nextStep: switching.isRepeatable ? 'Run the command again for those.' : instead,
	});
};

const defineSwitch = (name: string, what: string, switching: Switching): DefineCommand => (parent, run) => parent
	.command(name)
	.description(`${what} installed abilities`)
	.argument('[installed...]', 'ids, or names in any case')
	.option('--all', 'every installed ability')
	.addHelpText('after', examples(
		[`switchboard ${name} pantry`, 'by its name'],
		[`switchboard ${name} 4 7 deskmusic`, 'several; all are looked up before any is changed'],
		[`switchboard ${name} --all --json`, 'every one, with what became of each'],
	))
	.action(async (words: readonly string[], {all = false}: {readonly all?: boolean}, command: Command) => run(command, async context => {
		await switchAbilities(context, words, all, switching);
	}));

export const defineEnable = defineSwitch('enable', 'switch on', {wantedState: () => true, isRepeatable: true});

export const defineDisable = defineSwitch('disable', 'switch off', {wantedState: () => false, isRepeatable: true});

export const defineToggle = defineSwitch('toggle', 'switch over', {
	wantedState: isEnabled => isEnabled === undefined ? undefined : !isEnabled,
	isRepeatable: false,
});
