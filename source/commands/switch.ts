import process from 'node:process';
import type {Command} from 'commander';
import {SwitchboardError} from '../interface/errors.ts';
import type {InstalledAbility} from '../interface/records.ts';
import {stateWord} from '../interface/state-word.ts';
import {examples, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {applyToEach, throwFailures, type ItemOutcome} from './each.ts';
import {findInstalled} from './find-installed.ts';
import {rawName} from './output/raw-name.ts';
import {readList} from './read-list.ts';
import {toPublicError} from './report-error.ts';
import {refuseReadOnly, withService} from './with-service.ts';

type Switched = {readonly isEnabled: boolean | undefined; readonly isChanged: boolean};

type Outcome = ItemOutcome<InstalledAbility, Switched>;

const refuseUnclearChoice = (words: readonly string[], isAll: boolean): void => {
	if (isAll === (words.length > 0)) {
		throw new SwitchboardError(
			'usage',
			isAll ? '--all stands for every installed ability, so no other can be named beside it.' : 'Which one? Name installed abilities, or say --all.',
			{nextStep: 'See them with: switchboard installed'},
		);
	}
};

const toJson = (outcome: Outcome) => ({
	installed_cap_id: outcome.item.id,
	name: rawName(outcome.item),
	enabled: ('result' in outcome ? outcome.result.isEnabled : outcome.item.isEnabled) ?? null,
	changed: 'result' in outcome && outcome.result.isChanged,
	...('error' in outcome && {error: toPublicError(outcome.error)}),
});

const toLine = ({item}: Outcome, {isEnabled, isChanged}: Switched): string => process.stdout.isTTY
	? `${item.name} ${isChanged ? 'is' : 'was already'} ${stateWord(isEnabled)}.`
	: [item.id, stateWord(isEnabled), item.name, isChanged ? 'changed' : 'unchanged'].join('\t');

const report = (context: Context, outcomes: readonly Outcome[]): void => {
	if (context.options.isJson) {
		// The only item's failure is the command's own.
		if (outcomes.length !== 1 || !('error' in outcomes[0]!)) {
			context.printJson(outcomes.map(outcome => toJson(outcome)));
		}

		return;
	}

	for (const outcome of outcomes) {
		if ('result' in outcome) {
			context.print(toLine(outcome, outcome.result));
		} else if (outcomes.length > 1) {
			context.note(`${outcome.item.name}: ${outcome.error.message}`);
		}
	}
};

const switchAbilities = async (context: Context, words: readonly string[], isAll: boolean, wantedState: (record: InstalledAbility) => boolean): Promise<void> => {
	refuseReadOnly(context);
	refuseUnclearChoice(words, isAll);
	const outcomes = await withService(context, async service => {
		const records = await readList(context, service, 'installed');
		const chosen = isAll ? records : await findInstalled(context, service, records, words);
		return applyToEach(context, chosen, async record => {
			const isWanted = wantedState(record);
			if (record.isEnabled === isWanted) {
				return {isEnabled: isWanted, isChanged: false};
			}

			const {isEnabled} = await service.client.setEnabled(record, isWanted);
			return {isEnabled, isChanged: isEnabled !== record.isEnabled};
		});
	});
	if (outcomes.length === 0) {
		context.note('Nothing is installed.');
	}

	report(context, outcomes);
	throwFailures(outcomes);
};

const defineSwitch = (name: string, what: string, wantedState: (record: InstalledAbility) => boolean): DefineCommand => (parent, run) => parent
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
		await switchAbilities(context, words, all, wantedState);
	}));

export const defineEnable = defineSwitch('enable', 'switch on', () => true);

export const defineDisable = defineSwitch('disable', 'switch off', () => false);

export const defineToggle = defineSwitch('toggle', 'switch over', ({isEnabled}) => !isEnabled);
