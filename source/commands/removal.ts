import {keptDays} from '../changes/kept-packages.ts';
import {
	formerOfDeletion,
	formerOfUninstallation,
	isKept,
	lateSource,
	patienceMilliseconds,
	readSources,
	type Former,
	type RemovedSource,
} from '../changes/removals.ts';
import {failureStatus} from '../changes/send-changes.ts';
import {withoutFailing} from '../interface/errors.ts';
import {formatCount} from '../interface/format-count.ts';
import {stateWord} from '../interface/installed-lookup.ts';
import {rawName, type InstalledAbility, type Records, type Resource} from '../interface/records.ts';
import type {Step, StepOf} from '../state/plan.ts';
import {changeAndReport, changedOf, type ItemReport} from './change-items.ts';
import {severalExitCodes, type DefineCommand, type Example} from './command.ts';
import type {Context} from './context.ts';
import {findInstalled, findRecords, lookUpAbilityIds, readList} from './find-records.ts';
import {readWords, requireNamesOption, standardInput, wordsHelp, type RequireNamesOption} from './input/read-text.ts';
import {dryRunOption} from './options.ts';
import {verbs} from './check-changes.ts';
import {targetWords, type Service} from './with-service.ts';

type Removable = 'abilities' | 'installed';

type Removed = NonNullable<StepOf<'delete'>['removal']>;

type UndoHint = {
	readonly command: string;
	/** Where packages are kept; `undefined` where it must not be told. */
	readonly folder: string | undefined;
	/** False if the log cannot be written. */
	readonly isNoted: boolean;
};

/** A command that removes records, after a question. */
type Removal<R extends Removable> = {
	readonly verb: 'uninstall' | 'delete';
	/** The consequences, in sentences. `mayHaveUsers` is false if it is certain that no agent has one of the records. */
	readonly consequence: (records: ReadonlyArray<Records[R]>, mayHaveUsers: boolean, formers: readonly Former[], undo: UndoHint) => string;
	/** Reads the state of records before they are removed. Never rejects. */
	readonly readFormers: (context: Context, service: Service, records: ReadonlyArray<Records[R]>) => Promise<readonly Removed[]>;
	readonly idField: string;
	readonly toJson: ItemReport['toJson'];
	/** Finds the records, all or none. */
	readonly find: (context: Context, service: Service, words: readonly string[]) => Promise<ReadonlyArray<Records[R]>>;
	/** Finds the ids under which agents have the removed abilities. */
	readonly findAbilityIds: (
		context: Context,
		service: Service,
		records: ReadonlyArray<Records[R]>,
	) => Promise<ReadonlyArray<number | undefined>>;
	readonly description: string;
	readonly argument: string;
	readonly examples: readonly Example[];
};

/** Reads a list that undo can do without. */
async function readForUndo<R extends Resource>(
	{readSignal}: Context,
	{client}: Service,
	resource: R,
): Promise<ReadonlyArray<Records[R]> | undefined> {
	return (await client.list(resource, readSignal).catch(() => undefined))?.records;
}

const isNoted = ({checkLog}: Service): boolean =>
	withoutFailing(() => {
		checkLog();
		return true;
	}) ?? false;

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

async function questionOf<R extends Removable>(
	context: Context,
	service: Service,
	removal: Removal<R>,
	records: ReadonlyArray<Records[R]>,
	formers: readonly Former[],
): Promise<string> {
	// Read for undo just now.
	const agents = service.lists().agents?.records ?? (await readList(context, service, 'agents'));
	const tied = agents.filter(({abilityIds = []}) => abilityIds.length > 0);
	const abilityIds = tied.length === 0 ? [] : await removal.findAbilityIds(context, service, records);
	const removed = new Set(abilityIds);
	const users = tied.filter(agent => agent.abilityIds!.some(id => removed.has(id))).map(({name}) => name);
	// Not every service shows the abilities of agents, or which ability was installed.
	const mayHaveUsers = users.length > 0 || abilityIds.includes(undefined) || agents.some(agent => agent.abilityIds === undefined);
	const names = records.map(({id, name}) => `${name} (${id})`).join(', ');
	const command = ['switchboard undo', ...targetWords(context)].join(' ');
	const undo = {command, folder: service.log.folder, isNoted: isNoted(service)};
	const usage = users.length === 0 ? '' : `, used by ${users.join(', ')}`;
	return `${capitalize(removal.verb)} ${names}${usage}? ${removal.consequence(records, mayHaveUsers, formers, undo)}`;
}

/** Defines a command that finds records, asks whether to remove them unless `--yes` was given, and removes them. */
const defineRemoval =
	<R extends Removable>(removal: Removal<R>): DefineCommand =>
	(parent, run) =>
		parent
			.command(removal.verb)
			.description(removal.description)
			.argument(removal.argument, wordsHelp)
			.option('--yes', 'skip the confirmation')
			.option(...requireNamesOption)
			.option(...dryRunOption)
			.examples(...removal.examples)
			.exitCodes(...severalExitCodes)
			.action(
				run(async (context, givenWords: readonly string[], options: RequireNamesOption) => {
					const {verb, idField, toJson} = removal;
					const doneWord = verbs[verb];
					const words = await readWords(context, givenWords, options);
					const report: ItemReport = {
						idField,
						toJson,
						toSentence: (name, {isChanged}) =>
							isChanged ? `${context.isDryRun ? `Would ${verb}` : capitalize(doneWord)} ${name}.` : undefined,
						doneWord,
						keptWord: 'kept',
					};
					await changeAndReport(context, report, words.length > 0, async service => {
						const items = await removal.find(context, service, words);
						const removals = context.isDryRun ? [] : await removal.readFormers(context, service, items);
						const formers = removals.map(({former}) => former);
						return {
							steps: items.map(
								(record, index) => ({kind: verb, name: rawName(record), record, changes: [], removal: removals[index]}) as Step,
							),
							questions: [async () => questionOf(context, service, removal, items, formers)],
							unaskable: {taken: givenWords.includes(standardInput) ? 'has the names' : undefined},
							ifNo: `Nothing was ${doneWord}.`,
						};
					});
				}),
			);

/** The longest list of phrases that a question names; more phrases are counted. */
const namedLength = 80;

/** Returns the state of the only record, or the number of records in each state; empty if the service does not show all. */
function stateDetail(records: readonly InstalledAbility[]): string {
	if (records.some(({isEnabled}) => isEnabled === undefined)) {
		return '';
	}

	const counts = [true, false].map(state => [stateWord(state), records.filter(({isEnabled}) => isEnabled === state).length] as const);
	return counts
		.filter(([, count]) => count > 0)
		.map(([word, count]) => (records.length === 1 ? word : `${formatCount(count)} ${word}`))
		.join(', ');
}

/** Returns the phrases of the only record, or their number; empty if the service does not show all, `undefined` if there are none. */
function phraseDetail(records: readonly InstalledAbility[]): string | undefined {
	if (records.some(({raw}) => !Object.hasOwn(raw, 'trigger_words'))) {
		return '';
	}

	const phrases = records.flatMap(({triggerPhrases}) => triggerPhrases);
	const named = phrases.map(phrase => `“${phrase}”`).join(', ');
	return phrases.length === 0 ? undefined : records.length === 1 && named.length <= namedLength ? named : formatCount(phrases.length);
}

/** Returns the loss that installing again does not repair. Some services keep the ties to agents. */
function lossText(records: readonly InstalledAbility[], mayHaveUsers: boolean): string {
	const isOne = records.length === 1;
	const [its, it] = isOne ? ['its', 'it'] : ['their', 'them'];
	const lost = [
		[isOne ? 'state' : 'states', stateDetail(records)],
		['trigger phrases', phraseDetail(records)],
	]
		.filter(([, detail]) => detail !== undefined)
		.map(([noun, detail]) => `${its} ${noun}${detail === '' ? '' : ` (${detail})`}`);
	const ties = mayHaveUsers ? `, and on some services also ${its} ties to agents` : '';
	return `${capitalize(lost.join(' and '))} ${isOne && lost.length === 1 ? 'is' : 'are'} lost${ties}; installing ${it} again switches ${it} on.`;
}

export const defineUninstall = defineRemoval<'installed'>({
	verb: 'uninstall',
	consequence: (records, mayHaveUsers, _formers, {command, isNoted}) =>
		`${lossText(records, mayHaveUsers)} ${records.length === 1 ? 'The ability itself stays.' : 'The abilities themselves stay.'}${isNoted ? ` To go back: ${command}.` : ''}`,
	async readFormers(context, service, records) {
		const [abilities, agents] = await Promise.all([readForUndo(context, service, 'abilities'), readForUndo(context, service, 'agents')]);
		return records.map(record => ({former: formerOfUninstallation(record, {abilities, agents, installed: undefined})}));
	},
	idField: 'installed_cap_id',
	toJson: outcome => ({
		installed:
			'result' in outcome ? !outcome.result.isChanged : failureStatus(outcome) === 'not known' && outcome.seen === undefined ? null : true,
		changed: changedOf(outcome),
	}),
	find: async (context, service, words) => findInstalled(context, service, await readList(context, service, 'installed'), words),
	async findAbilityIds(context, service, records) {
		const abilityIdOf = await lookUpAbilityIds(context, service, records);
		return records.map(record => abilityIdOf(record));
	},
	description: 'uninstall abilities; the abilities themselves stay',
	argument: '<installed...>',
	examples: [
		['switchboard uninstall pantry', 'says what is lost and asks for confirmation'],
		['switchboard uninstall 4 deskmusic --yes', 'for scripts; nothing is changed unless all are found'],
		['switchboard uninstall pantry --dry-run', 'show what would change, and change nothing'],
	],
});

export const defineDeleteAbilities = defineRemoval<'abilities'>({
	verb: 'delete',
	consequence(abilities, _mayHaveUsers, formers, {command, folder}) {
		const isOne = abilities.length === 1;
		const lost = formers.flatMap(({name, losses}) => losses.map(loss => (isOne ? loss : `${loss} (${name})`)));
		const unkept = formers.filter(former => !isKept(former));
		const reason = unkept[0]?.source;
		const place = folder === undefined ? '' : ` in ${folder}`;
		return [
			...(reason !== undefined && 'reason' in reason
				? [`${isOne ? 'This cannot be undone' : `${unkept.map(({name}) => name).join(', ')} cannot be brought back`}: ${reason.reason}`]
				: []),
			...(unkept.length === formers.length
				? []
				: [
						`${isOne ? 'Its source is' : 'Sources are'} kept for ${keptDays} days${place}; to bring ${isOne ? 'it' : 'them'} back: ${command}.`,
					]),
			...(lost.length === 0 ? [] : [`Lost for good: ${lost.join(', ')}.`]),
		].join(' ');
	},
	async readFormers(context, service, records) {
		const [installed, agents] = await Promise.all([readForUndo(context, service, 'installed'), readForUndo(context, service, 'agents')]);
		const sources = new Map<number, RemovedSource>();
		context.showProgress(records.length === 1 ? `Reading the source of ${records[0]!.name} …` : 'Reading their sources …');
		const signal = AbortSignal.any([context.readSignal, AbortSignal.timeout(patienceMilliseconds)]);
		await readSources(service.client, records, {signal, check: service.checkLog, onRead: (id, source) => sources.set(id, source)});
		return records.map(record => {
			const source = sources.get(record.id) ?? lateSource;
			const former = formerOfDeletion(record, source, {abilities: records, installed, agents});
			return {former, zip: 'zip' in source ? source.zip : undefined};
		});
	},
	idField: 'capability_id',
	toJson: outcome => ({deleted: changedOf(outcome)}),
	find: async (context, service, words) => findRecords(await readList(context, service, 'abilities'), words, {resource: 'abilities'}),
	findAbilityIds: async (_context, _service, abilities) => abilities.map(({id}) => id),
	description: 'delete abilities and uninstall them',
	argument: '<ability...>',
	examples: [
		['switchboard abilities delete pantry', 'asks for confirmation'],
		['switchboard abilities delete 8 deskmusic --yes', 'for scripts'],
	],
});
