import {toSwitchboardError} from '../interface/errors.ts';
import type {Ability} from '../interface/records.ts';
import {applyToEach} from './apply-to-each.ts';
import {examples, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {readAndFindAll} from './find-records.ts';
import {confirm, refuseUnaskable} from './input/confirm.ts';
import {failureStatus, notSent, type ItemOutcome} from './item-outcome.ts';
import {readList} from './read-list.ts';
import {reportItems, throwFailures} from './report-items.ts';
import {resolveUncertain, unknownOutcomeError} from './unknown-outcome.ts';
import {refuseReadOnly, withService, type Service} from './with-service.ts';

type Outcome = ItemOutcome<Ability, boolean>;

const confirmDeletion = async (context: Context, service: Service, abilities: readonly Ability[]): Promise<boolean> => {
	const agents = await readList(context, service, 'agents');
	// Not every service shows which agents have an ability.
	const users = agents.filter(agent => abilities.some(({id}) => agent.abilityIds?.includes(id))).map(({name}) => name);
	const names = abilities.map(({id, name}) => `${name} (${id})`).join(', ');
	return confirm(context, `Delete ${names}${users.length === 0 ? '' : `, used by ${users.join(', ')}`}? This cannot be undone.`);
};

/** Looks up the abilities whose deletion got no answer or a 404: an ability that is not in the list is deleted. */
const resolve = async (context: Context, {client}: Service, outcomes: readonly Outcome[]): Promise<readonly Outcome[]> => resolveUncertain(context, outcomes, {
	isUncertain: ({kind, isOutcomeUnknown}) => isOutcomeUnknown || kind === 'not-found',
	read: async signal => client.list('abilities', signal),
	judge({item, error}, list) {
		const isListed = list?.records.some(({id}) => id === item.id);
		if (list?.isComplete && !isListed) {
			return {item, result: true};
		}

		if (!error.isOutcomeUnknown) {
			return {item, error};
		}

		const sentence = isListed
			? `${item.name} is not deleted yet: the request was sent and may still arrive.`
			: `It is not known whether ${item.name} is deleted: the request was sent and may still arrive.`;
		return {item, error: unknownOutcomeError(error, sentence, 'Check with: switchboard abilities')};
	},
});

const wordOf = (isDeleted: boolean): string => isDeleted ? 'deleted' : 'kept';

const report = async (context: Context, outcomes: readonly Outcome[]): Promise<void> => {
	await reportItems(context, outcomes, {
		idField: 'capability_id',
		toJson: outcome => ({deleted: 'result' in outcome ? outcome.result : (failureStatus(outcome) === 'not known' ? null : false)}),
		toFields: outcome => [outcome.item.id, outcome.item.name, 'result' in outcome ? wordOf(outcome.result) : failureStatus(outcome)],
		toSentence: ({name}, isDeleted) => isDeleted ? `Deleted ${name}.` : undefined,
	});
};

/** Deletes the abilities, unless the person says no, and prints the outcome of each. */
const confirmAndDelete = async (context: Context, service: Service, abilities: readonly Ability[], isSure: boolean): Promise<readonly Outcome[]> => {
	try {
		if (!isSure && !await confirmDeletion(context, service, abilities)) {
			context.note('Nothing was deleted.');
			const outcomes = abilities.map(item => ({item, result: false}));
			await report(context, outcomes);
			return outcomes;
		}
	} catch (error) {
		if (toSwitchboardError(error).kind === 'interrupted' || context.readSignal.aborted) {
			await report(context, abilities.map(ability => notSent(ability, context.readSignal)));
		}

		throw error;
	}

	const outcomes: readonly Outcome[] = await applyToEach(context, abilities, {
		doing: 'Deleting',
		async action(ability) {
			await service.client.deleteAbility(ability, context.writeSignal);
			return true;
		},
	});
	const resolved = await resolve(context, service, outcomes);
	await report(context, resolved);
	return resolved;
};

const deleteAbilities = async (context: Context, words: readonly string[], {yes: isSure = false}: {readonly yes?: boolean}): Promise<void> => {
	refuseReadOnly(context);
	refuseUnaskable(isSure, 'delete');
	const outcomes = await withService(context, async service => {
		const abilities = await readAndFindAll(context, service, words, {resource: 'abilities'});
		return context.finishBeforeExit(confirmAndDelete(context, service, abilities, isSure));
	});
	throwFailures(outcomes, {doneWord: 'deleted', wordOf, nextStep: 'Run the command again for the ones that failed.'});
};

export const defineDeleteAbilities: DefineCommand = (parent, run) => parent
	.command('delete')
	.description('delete abilities and uninstall them')
	.argument('<ability...>', 'ids, or names in any case')
	.option('--yes', 'skip the confirmation')
	.addHelpText('after', examples(
		['switchboard abilities delete pantry', 'asks for confirmation'],
		['switchboard abilities delete 8 deskmusic --yes', 'for scripts'],
	))
	.action(run(deleteAbilities));
