import process from 'node:process';
import type {Command} from 'commander';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import type {Ability} from '../interface/records.ts';
import {examples, type DefineCommand} from './command.ts';
import {isInteractive, type Context} from './context.ts';
import {
	applyToEach,
	failureStatus,
	notSent,
	noteFailures,
	throwFailures,
	type ItemOutcome,
} from './each.ts';
import {findRecords} from './find-records.ts';
import {askYesOrNo} from './input/ask.ts';
import {rawName} from './output/raw-name.ts';
import {readList} from './read-list.ts';
import {toPublicError} from './report-error.ts';
import {unknownOutcomeError, resolveUncertain} from './unknown-outcome.ts';
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
	return askYesOrNo(`Delete ${names}${users.length === 0 ? '' : `, which ${users.join(', ')} would lose`}? This cannot be undone.`, context.signal);
};

/** Looks up the abilities of which no answer came, and those that were not found: what is gone is deleted. */
const settle = async (context: Context, {client}: Service, outcomes: readonly Outcome[]): Promise<readonly Outcome[]> => resolveUncertain(context, outcomes, {
	isOpen: ({kind, isOutcomeUnknown}) => isOutcomeUnknown || kind === 'not-found',
	read: async signal => client.listAbilities(signal),
	judge({item, error}, list) {
		const isListed = list?.records.some(({id}) => id === item.id);
		if (list?.isComplete && !isListed) {
			return {item, result: true};
		}

		if (!error.isOutcomeUnknown) {
			return {item, error};
		}

		const sentence = isListed
			? `${item.name} is not deleted yet: the request was sent, and it may still arrive.`
			: `It is not known whether ${item.name} is deleted: the request was sent, and it may still arrive.`;
		return {item, error: unknownOutcomeError(error, sentence, 'Look again with: switchboard abilities')};
	},
});

/** `null` where it is not known. */
const isDeleted = (outcome: Outcome): boolean | null =>
	'result' in outcome ? outcome.result : (failureStatus(outcome) === 'not known' ? null : false);

const toJson = (outcome: Outcome) => ({
	capability_id: outcome.item.id,
	name: rawName(outcome.item),
	deleted: isDeleted(outcome),
	...('error' in outcome && {error: toPublicError(outcome.error)}),
});

const wordOf = (isGone: boolean): string => isGone ? 'deleted' : 'kept';

const report = (context: Context, outcomes: readonly Outcome[]): void => {
	if (context.options.isJson) {
		context.printJson(outcomes.map(outcome => toJson(outcome)));
		return;
	}

	for (const outcome of outcomes) {
		const {id, name} = outcome.item;
		const word = 'result' in outcome ? wordOf(outcome.result) : failureStatus(outcome);
		if (!process.stdout.isTTY) {
			context.print([id, name, word].join('\t'));
		} else if (word === 'deleted') {
			context.print(`${name} is deleted.`);
		}
	}

	noteFailures(context, outcomes);
};

/** Deletes the abilities, unless the person who is asked says no, and prints what became of each. */
const deleteIfMeant = async (context: Context, service: Service, abilities: readonly Ability[], isSure: boolean): Promise<readonly Outcome[]> => {
	try {
		if (!isSure && !await isDeletionMeant(context, service, abilities)) {
			context.note('Nothing was deleted.');
			const outcomes = abilities.map(item => ({item, result: false}));
			report(context, outcomes);
			return outcomes;
		}
	} catch (error) {
		if (toSwitchboardError(error).kind === 'interrupted' || context.signal.aborted) {
			report(context, notSent(abilities));
		}

		throw error;
	}

	const tried: readonly Outcome[] = await applyToEach(context, abilities, async ability => {
		await service.client.deleteAbility(ability, context.signal);
		return true;
	});
	const outcomes = await settle(context, service, tried);
	report(context, outcomes);
	return outcomes;
};

const deleteAbilities = async (context: Context, words: readonly string[], isSure: boolean): Promise<void> => {
	refuseReadOnly(context);
	if (!isSure && !isInteractive()) {
		throw new SwitchboardError('usage', 'There is no terminal to ask whether that is meant.', {nextStep: 'Give --yes to delete without being asked.'});
	}

	const outcomes = await withService(context, async service => {
		const listed = await readList(context, service, 'abilities');
		const abilities = findRecords(listed, words, {what: 'ability', listCommand: 'switchboard abilities', isToChange: true});
		return context.finishBeforeExit(deleteIfMeant(context, service, abilities, isSure));
	});
	throwFailures(outcomes, {doneWord: 'deleted', wordOf, nextStep: 'Run the command again for those.'});
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
