import type {Client} from '../client/client.ts';
import {unknownOutcomeError} from '../interface/errors.ts';
import type {JsonObject} from '../interface/json.ts';
import type {Records} from '../interface/records.ts';
import {applyToEach} from './apply-to-each.ts';
import type {Context} from './context.ts';
import {startChange, type DryRunOption} from './dry-run.ts';
import {confirm, refuseUnaskable, requireYes} from './input/confirm.ts';
import {standardInput} from './input/read-text.ts';
import {noWordsNote, readWords, type RequireNamesOption} from './input/read-words.ts';
import {failureStatus, notSent, type ItemOutcome} from './item-outcome.ts';
import {readList} from './read-list.ts';
import {reportItems, throwFailures} from './report-items.ts';
import {resolveUncertain} from './unknown-outcome.ts';
import {withService, type Service} from './with-service.ts';

type Removable = 'abilities' | 'installed';

/** The result is whether the record was removed. */
export type RemovalOutcome<R extends Removable> = ItemOutcome<Records[R], boolean>;

/** A command that removes records, after a question. */
export type Removal<R extends Removable> = {
	readonly resource: R;
	/** What the command does, as in “Use --yes to delete”. */
	readonly verb: string;
	/** The same for the progress line, such as `Deleting`. */
	readonly doing: string;
	/** What happened to a record, such as `deleted`. */
	readonly doneWord: string;
	/** What else to know before saying yes, in sentences. `mayHaveUsers` is false if it is known that no agent has one of the records. */
	readonly consequence: (records: ReadonlyArray<Records[R]>, mayHaveUsers: boolean) => string;
	/** The JSON field of the id. */
	readonly idField: string;
	/** The JSON fields after id and name. */
	readonly toJson: (outcome: RemovalOutcome<R>) => JsonObject;
	/** Finds the records, all or none. */
	readonly find: (context: Context, service: Service, words: readonly string[]) => Promise<ReadonlyArray<Records[R]>>;
	/** The ids by which agents have what is removed. */
	readonly findAbilityIds: (context: Context, service: Service, records: ReadonlyArray<Records[R]>) => Promise<ReadonlyArray<number | undefined>>;
	readonly remove: (client: Client, record: Records[R], signal: AbortSignal) => Promise<void>;
};

export type RemovalOptions = DryRunOption & RequireNamesOption & {readonly yes?: boolean};

export const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

type Users = {
	/** Of the agents that are known to have one of the records. */
	readonly names: readonly string[];
	/** False if others may have one: not every service shows it. */
	readonly areAllKnown: boolean;
};

const findUsers = async <R extends Removable>(context: Context, service: Service, {findAbilityIds}: Removal<R>, records: ReadonlyArray<Records[R]>): Promise<Users> => {
	const agents = await readList(context, service, 'agents');
	const areShown = agents.every(({abilityIds}) => abilityIds !== undefined);
	const tied = agents.filter(({abilityIds = []}) => abilityIds.length > 0);
	if (tied.length === 0) {
		return {names: [], areAllKnown: areShown};
	}

	const abilityIds = await findAbilityIds(context, service, records);
	return {
		names: tied.filter(agent => abilityIds.some(id => id !== undefined && agent.abilityIds!.includes(id))).map(({name}) => name),
		areAllKnown: areShown && !abilityIds.includes(undefined),
	};
};

const confirmRemoval = async <R extends Removable>(context: Context, service: Service, removal: Removal<R>, records: ReadonlyArray<Records[R]>): Promise<boolean> => {
	const {names: users, areAllKnown} = await findUsers(context, service, removal, records);
	const names = records.map(({id, name}) => `${name} (${id})`).join(', ');
	const usage = users.length === 0 ? '' : `, used by ${users.join(', ')}`;
	return confirm(context, `${capitalize(removal.verb)} ${names}${usage}? ${removal.consequence(records, users.length > 0 || !areAllKnown)}`);
};

/** Looks up the records whose removal got no answer or a 404: one that is not in the list is removed. */
const resolve = async <R extends Removable>(
	context: Context,
	{client}: Service,
	{resource, doneWord}: Removal<R>,
	outcomes: ReadonlyArray<RemovalOutcome<R>>,
): Promise<ReadonlyArray<RemovalOutcome<R>>> => resolveUncertain(context, outcomes, {
	isUncertain: ({kind, isOutcomeUnknown}) => isOutcomeUnknown || kind === 'not-found',
	read: async signal => client.list(resource, signal),
	judge({item, error}, list) {
		const seen = list?.records.find(({id}) => id === item.id);
		if (list?.isComplete && seen === undefined) {
			return {item, result: true};
		}

		if (!error.isOutcomeUnknown) {
			return {item, error};
		}

		const sentence = seen === undefined
			? `It is not known whether ${item.name} is ${doneWord}: the request was sent and may still arrive.`
			: `${item.name} is not ${doneWord} yet: the request was sent and may still arrive.`;
		return {item, seen, error: unknownOutcomeError(error, sentence, `Check with: switchboard ${resource}`)};
	},
});

const report = async <R extends Removable>(context: Context, {idField, toJson, verb, doneWord}: Removal<R>, outcomes: ReadonlyArray<RemovalOutcome<R>>): Promise<void> => {
	await reportItems(context, outcomes, {
		idField,
		toJson,
		toFields: outcome => [outcome.item.id, outcome.item.name, 'result' in outcome ? (outcome.result ? doneWord : 'kept') : failureStatus(outcome)],
		toSentence: ({name}, isRemoved) => isRemoved ? `${context.isDryRun ? `Would ${verb}` : capitalize(doneWord)} ${name}.` : undefined,
	});
};

/** Removes the records, unless the person says no, and prints the outcome of each. */
const confirmAndRemove = async <R extends Removable>(
	context: Context,
	service: Service,
	removal: Removal<R>,
	{records, isSure}: {readonly records: ReadonlyArray<Records[R]>; readonly isSure: boolean},
): Promise<ReadonlyArray<RemovalOutcome<R>>> => {
	if (!isSure) {
		await requireYes(context, async () => confirmRemoval(context, service, removal, records), {
			ifNo: `Nothing was ${removal.doneWord}.`,
			report: async isCut => report(context, removal, records.map(item => isCut ? notSent(item, context.readSignal) : {item, result: false})),
		});
	}

	const outcomes: ReadonlyArray<RemovalOutcome<R>> = await applyToEach(context, records, {
		doing: removal.doing,
		async action(record) {
			if (!context.isDryRun) {
				await removal.remove(service.client, record, context.writeSignal);
			}

			return true;
		},
	});
	const resolved = await resolve(context, service, removal, outcomes);
	await report(context, removal, resolved);
	return resolved;
};

/** Finds records, asks whether to remove them unless told not to, and removes them. */
export const removeRecords = async <R extends Removable>(given: Context, givenWords: readonly string[], options: RemovalOptions, removal: Removal<R>): Promise<void> => {
	const context = startChange(given, options);
	const isSure = options.yes === true || context.isDryRun;
	const words = await readWords(context, givenWords, options);
	if (words.length === 0) {
		context.note(noWordsNote);
		await report(context, removal, []);
		return;
	}

	refuseUnaskable(context, isSure, removal.verb, givenWords.includes(standardInput));

	const outcomes = await withService(context, async service => {
		const records = await removal.find(context, service, words);
		return context.finishBeforeExit(confirmAndRemove(context, service, removal, {records, isSure}));
	});
	throwFailures(outcomes, {
		doneWord: removal.doneWord,
		wordOf: isRemoved => isRemoved ? removal.doneWord : 'kept',
		nextStep: 'Run the command again for the ones that failed.',
	});
};
