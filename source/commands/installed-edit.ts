import {refuseUneditablePhrases} from '../interface/editable-phrases.ts';
import {SwitchboardError, unknownOutcomeError} from '../interface/errors.ts';
import {tidyTriggerPhrases} from '../interface/names.ts';
import type {InstalledAbility} from '../interface/records.ts';
import {applyToEach} from './apply-to-each.ts';
import {examples, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {dryRunOption, startChange, type DryRunOption} from './dry-run.ts';
import {findInstalled} from './find-installed.ts';
import {refuseBoth} from './input/refuse-both.ts';
import {splitList} from './input/split-list.ts';
import {failureStatus, type ItemOutcome} from './item-outcome.ts';
import {readList} from './read-list.ts';
import {refuseOtherPhrases} from './refuse-answer.ts';
import {reportItems, throwFailures} from './report-items.ts';
import {resolveUncertain} from './unknown-outcome.ts';
import {withService, type Service} from './with-service.ts';

type EditOptions = DryRunOption & {
	/** A list, or `false` for none. */
	readonly triggers?: string | false;
};

type Edited = {readonly phrases: readonly string[]; readonly isChanged: boolean};

type Outcome = ItemOutcome<InstalledAbility, Edited>;

const readPhrases = ({triggers}: EditOptions): readonly string[] => {
	if (triggers === undefined) {
		throw new SwitchboardError('usage', 'Nothing to change.', {nextStep: 'Use --triggers or --no-triggers.'});
	}

	return triggers === false ? [] : tidyTriggerPhrases(splitList('--triggers', triggers, 'To remove all trigger phrases, use --no-triggers.'));
};

/** Refuses phrases that break a rule, unless the service has them already. */
const checkPhrases = async ({triggerPhrases: accepted}: InstalledAbility, phrases: readonly string[]): Promise<void> => {
	const {checkTriggerPhrases} = await import('../bundle/check-trigger-phrases.ts');
	const [problem] = checkTriggerPhrases(phrases.filter(phrase => !accepted.includes(phrase)));
	if (problem !== undefined) {
		throw problem;
	}
};

const isSame = (found: readonly string[], wanted: readonly string[]): boolean =>
	found.length === wanted.length && found.every((phrase, index) => phrase === wanted[index]);

const editOne = async ({isDryRun, writeSignal}: Context, {client}: Service, record: InstalledAbility, phrases: readonly string[]): Promise<Edited> => {
	refuseUneditablePhrases(record);
	if (isSame(record.triggerPhrases, phrases)) {
		return {phrases, isChanged: false};
	}

	if (isDryRun) {
		return {phrases, isChanged: true};
	}

	const answered = await client.editPhrases(record, phrases, writeSignal);
	refuseOtherPhrases(answered, phrases);
	return {phrases: answered.triggerPhrases, isChanged: true};
};

/** Looks up the ability if its change got no answer. */
const resolve = async (context: Context, {client}: Service, phrases: readonly string[], outcomes: readonly Outcome[]): Promise<readonly Outcome[]> =>
	resolveUncertain(context, outcomes, {
		read: async signal => client.list('installed', signal),
		judge({item, error}, list) {
			const seen = list?.records.find(({id}) => id === item.id);
			if (seen !== undefined && isSame(seen.triggerPhrases, phrases)) {
				return {item, result: {phrases, isChanged: true}};
			}

			const sentence = seen === undefined
				? `It is not known whether ${item.name} was changed: the change was sent and may still arrive.`
				: `${item.name} has not changed yet: the change was sent and may still arrive.`;
			return {item, seen, error: unknownOutcomeError(error, sentence, 'Check with: switchboard installed')};
		},
	});

/** The phrases that an ability is known to have, if the service shows them. */
const shownPhrases = (record: InstalledAbility | undefined): readonly string[] | undefined =>
	record !== undefined && Object.hasOwn(record.raw, 'trigger_words') ? record.triggerPhrases : undefined;

const phrasesAfter = (outcome: Outcome): readonly string[] | undefined =>
	'result' in outcome ? outcome.result.phrases : shownPhrases(failureStatus(outcome) === 'not known' ? outcome.seen : outcome.item);

const report = async (context: Context, outcomes: readonly Outcome[]): Promise<void> => {
	await reportItems(context, outcomes, {
		idField: 'installed_cap_id',
		toJson: outcome => ({
			trigger_words: phrasesAfter(outcome) ?? null,
			changed: 'result' in outcome ? outcome.result.isChanged : (failureStatus(outcome) === 'not known' ? null : false),
		}),
		toFields: outcome => [
			outcome.item.id,
			outcome.item.name,
			phrasesAfter(outcome)?.join(', ') ?? '?',
			'error' in outcome ? failureStatus(outcome) : (outcome.result.isChanged ? 'changed' : 'unchanged'),
		],
		toSentence: ({name}, {isChanged}) => isChanged ? `${context.isDryRun ? 'Would change' : 'Changed'} ${name}.` : `${name} has these trigger phrases already.`,
	});
};

const editPhrases = async (given: Context, word: string, options: EditOptions): Promise<void> => {
	const context = startChange(given, options);
	const phrases = readPhrases(options);
	const outcomes = await withService(context, async service => {
		const chosen = await findInstalled(context, service, await readList(context, service, 'installed'), [word]);
		await checkPhrases(chosen[0]!, phrases);
		const edit = async (): Promise<readonly Outcome[]> => {
			const applied = await applyToEach(context, chosen, {doing: 'Changing', action: async record => editOne(context, service, record, phrases)});
			const resolved = await resolve(context, service, phrases, applied);
			await report(context, resolved);
			return resolved;
		};

		return context.finishBeforeExit(edit());
	});
	throwFailures(outcomes, {doneWord: 'changed', wordOf: ({isChanged}) => isChanged ? 'changed' : 'unchanged', nextStep: 'Run the command again.'});
};

export const defineEditInstalled: DefineCommand = (parent, run) => {
	const edit = parent
		.command('edit')
		.description('edit the trigger phrases of an installed ability')
		.argument('<installed>', 'an id, or a name in any case')
		.option('--triggers <list>', 'its new trigger phrases, separated by commas')
		.option('--no-triggers', 'remove all its trigger phrases')
		.option(...dryRunOption)
		.addHelpText('after', examples(
			['switchboard installed edit pantry --triggers "what is in the pantry,pantry list"', 'replace its trigger phrases'],
			['switchboard installed edit pantry --no-triggers', 'remove them'],
		))
		.action(run(async (context, word: string, options: EditOptions) => {
			refuseBothTriggers();
			await editPhrases(context, word, options);
		}));
	const refuseBothTriggers = refuseBoth(edit, 'triggers');
	return edit;
};
