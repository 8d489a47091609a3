import process from 'node:process';
import type {Command} from 'commander';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import type {Ability} from '../interface/records.ts';
import {applyToEach, throwFailures, type ItemOutcome} from './each.ts';
import {examples, type DefineCommand} from './command.ts';
import {canAsk, type Context} from './context.ts';
import {findRecords} from './find-records.ts';
import {askYesOrNo} from './input/ask.ts';
import {rawName} from './output/raw-name.ts';
import {readList} from './read-list.ts';
import {toPublicError} from './report-error.ts';
import {refuseReadOnly, withService, type Service} from './with-service.ts';

type Outcome = ItemOutcome<Ability, boolean>;

/** The agents that would lose an ability, where the service shows which have it. */
const findUsers = async (context: Context, service: Service, abilities: readonly Ability[]): Promise<readonly string[]> => {
	const agents = await readList(context, service, 'agents');
	return agents.filter(agent => abilities.some(({id}) => agent.abilityIds?.includes(id))).map(({name}) => name);
};

const isDeletionMeant = async (context: Context, service: Service, abilities: readonly Ability[]): Promise<boolean> => {
	const users = await findUsers(context, service, abilities);
	const names = abilities.map(({id, name}) => `${name} (${id})`).join(', ');
	return askYesOrNo(`Delete ${names}${users.length === 0 ? '' : `, which ${users.join(', ')} would lose`}? This cannot be undone.`);
};

/** Deletes an ability. What is gone is deleted: a request that is repeated finds what the first one did. */
const deleteAbility = async ({client}: Service, ability: Ability): Promise<true> => {
	try {
		await client.deleteAbility(ability);
	} catch (error) {
		if (toSwitchboardError(error).kind !== 'not-found') {
			throw error;
		}

		const {records, isComplete} = await client.listAbilities();
		if (!isComplete || records.some(({id}) => id === ability.id)) {
			throw error;
		}
	}

	return true;
};

const toJson = (outcome: Outcome) => ({
	capability_id: outcome.item.id,
	name: rawName(outcome.item),
	deleted: 'result' in outcome && outcome.result,
	...('error' in outcome && {error: toPublicError(outcome.error)}),
});

const report = (context: Context, outcomes: readonly Outcome[]): void => {
	if (context.options.isJson) {
		// The only item's failure is the command's own.
		if (outcomes.length !== 1 || !('error' in outcomes[0]!)) {
			context.printJson(outcomes.map(outcome => toJson(outcome)));
		}

		return;
	}

	for (const {item, ...outcome} of outcomes) {
		if ('result' in outcome && outcome.result) {
			context.print(process.stdout.isTTY ? `${item.name} is deleted.` : `${item.id}\t${item.name}\tdeleted`);
		} else if ('error' in outcome && outcomes.length > 1) {
			context.note(`${item.name}: ${outcome.error.message}`);
		}
	}
};

const deleteAbilities = async (context: Context, words: readonly string[], isSure: boolean): Promise<void> => {
	refuseReadOnly(context);
	if (!isSure && !canAsk()) {
		throw new SwitchboardError('usage', 'There is no terminal to ask whether that is meant.', {nextStep: 'Give --yes to delete without being asked.'});
	}

	const outcomes: readonly Outcome[] = await withService(context, async service => {
		const listed = await readList(context, service, 'abilities');
		const abilities = findRecords(listed, words, {what: 'ability', listCommand: 'switchboard abilities', isToChange: true});
		if (!isSure && !await isDeletionMeant(context, service, abilities)) {
			context.note('Nothing was deleted.');
			return abilities.map(item => ({item, result: false}));
		}

		return applyToEach(context, abilities, async ability => deleteAbility(service, ability));
	});
	report(context, outcomes);
	throwFailures(outcomes);
};

export const defineDeleteAbilities: DefineCommand = (parent, run) => parent
	.command('delete')
	.description('delete abilities, with what is installed of them')
	.argument('<ability...>', 'ids, or names in any case')
	.option('--yes', 'do not ask')
	.addHelpText('after', examples(
		['switchboard abilities delete pantry', 'asks first'],
		['switchboard abilities delete 8 deskmusic --yes', 'without being asked, as a script must'],
	))
	.action(async (words: readonly string[], {yes = false}: {readonly yes?: boolean}, command: Command) => run(command, async context => {
		await deleteAbilities(context, words, yes);
	}));
