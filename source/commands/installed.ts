import {failureStatus} from '../changes/send-changes.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {formatCount} from '../interface/format-count.ts';
import {installedLookup} from '../interface/installed-lookup.ts';
import {isSameJson} from '../interface/json.ts';
import {straightenedNotes} from '../interface/names.ts';
import {cleanName, rawName, type InstalledAbility} from '../interface/records.ts';
import {setStep, type Step, type StepOutcome} from '../state/plan.ts';
import {changeAndReport, changedOf, recordAfter, type ItemReport} from './change-items.ts';
import {severalExitCodes, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {expandGlobs, findInstalled, findRecords, findTyped, readList} from './find-records.ts';
import {globWordsHelp, readWords, requireNamesOption, type RequireNamesOption} from './input/read-text.ts';
import {defineListCommand, filterOption, installedColumns, listRecords} from './list-command.ts';
import {checkPhrases, dryRunOption, parsePhrases} from './options.ts';

async function installAbilities(context: Context, givenWords: readonly string[], options: RequireNamesOption): Promise<void> {
	const {isDryRun} = context;
	const words = await readWords(context, givenWords, options);
	const report: ItemReport = {
		idField: 'capability_id',
		toJson: outcome => ({
			installed:
				'result' in outcome
					? outcome.result.isChanged || outcome.item.isDone === true
					: failureStatus(outcome) === 'not known' && outcome.seen === undefined
						? null
						: false,
			changed: changedOf(outcome),
		}),
		toSentence: (name, {isChanged}) =>
			isChanged ? `${isDryRun ? 'Would install' : 'Installed'} ${name}.` : `${name} ${isDryRun ? 'is' : 'was'} already installed.`,
		doneWord: 'installed',
	};
	await changeAndReport(context, report, words.length > 0, async service => {
		const abilities = await readList(context, service, 'abilities');
		const chosen = expandGlobs(context, abilities, words, {typed: givenWords, resource: 'abilities'});
		const items = await findTyped(context, givenWords, async () => findRecords(abilities, chosen, {resource: 'abilities'}));
		const toSteps = async (): Promise<readonly Step[]> => {
			const find = installedLookup(await readList(context, service, 'installed'));
			return items.map(record => ({
				kind: 'install',
				name: rawName(record),
				record,
				changes: [],
				isDone: record.isInstalled ?? find(record) !== undefined,
			}));
		};

		const steps = await toSteps();
		const [missing, ...others] = steps.filter(({isDone}) => !isDone);
		const given = new Set(words);
		const isAsked = chosen.some(word => !given.has(word)) && missing !== undefined;
		return {
			steps,
			questions: isAsked
				? [`Install ${others.length === 0 ? cleanName(missing.name) : `${formatCount(others.length + 1)} abilities`}?`]
				: [],
			ifNo: 'Nothing was installed.',
			prepareAgain: toSteps,
		};
	});
}

export const defineInstall: DefineCommand = (parent, run) =>
	parent
		.command('install')
		.description('install abilities')
		.argument('<ability...>', globWordsHelp)
		.option('--yes', 'skip the confirmation of a glob')
		.option(...requireNamesOption)
		.option(...dryRunOption)
		.examples(
			['switchboard install pantry', 'by name'],
			['switchboard install 4 7 deskmusic', 'several; nothing is changed unless all are found'],
			["switchboard install 'morning*'", 'all whose names begin so; show them and ask'],
			['switchboard install - < names.txt', 'the names on standard input, one per line'],
		)
		.exitCodes(...severalExitCodes)
		.action(run(installAbilities));

type EditOptions = {
	/** A list, or `false` for none. */
	readonly triggers?: string | false;
};

/** Returns the known phrases of an ability, if the service shows them. */
function phrasesAfter(outcome: StepOutcome): readonly string[] | undefined {
	const record = recordAfter(outcome) as InstalledAbility | undefined;
	return record !== undefined && Object.hasOwn(record.raw, 'trigger_words') ? record.triggerPhrases : undefined;
}

async function editPhrases(context: Context, word: string, {triggers}: EditOptions): Promise<void> {
	if (triggers === undefined) {
		throw new SwitchboardError('usage', 'Nothing to change.', {nextStep: 'Use --triggers or --no-triggers.'});
	}

	const {isDryRun} = context;
	const given = parsePhrases(triggers);
	await changeAndReport(
		context,
		{
			idField: 'installed_cap_id',
			toJson: outcome => ({trigger_words: phrasesAfter(outcome) ?? null, changed: changedOf(outcome)}),
			toFields: (outcome, name, status) => [outcome.item.record!.id, name, phrasesAfter(outcome)?.join(', ') ?? '?', status],
			toSentence: (name, {isChanged}) =>
				isChanged ? `${isDryRun ? 'Would change' : 'Changed'} ${name}.` : `${name} already has these trigger phrases.`,
			doneWord: 'changed',
		},
		true,
		async service => {
			const [record] = await findInstalled(context, service, await readList(context, service, 'installed'), [word]);
			const {triggerPhrases: known} = record!;
			for (const note of straightenedNotes(given, known)) {
				context.note(note);
			}

			const phrases = await checkPhrases(given, known);
			return {steps: [setStep('installed', record, {triggers: phrases}, {isDone: isSameJson(known, phrases)})]};
		},
	);
}

const defineEditInstalled: DefineCommand = (parent, run) =>
	parent
		.command('edit')
		.description('edit the trigger phrases of an installed ability')
		.argument('<installed>', 'an id, or a name in any case')
		.option('--triggers <list>', 'its new trigger phrases, separated by commas')
		.option('--no-triggers', 'remove all its trigger phrases')
		.option(...dryRunOption)
		.examples(
			['switchboard installed edit pantry --triggers "pantry list,what is there"', 'replace its trigger phrases'],
			['switchboard installed edit pantry --no-triggers', 'remove them'],
		)
		.action(run(editPhrases));

export const defineInstalled: DefineCommand = (parent, run) => {
	const installed = defineListCommand(parent, run, {
		name: 'installed',
		description: 'list installed abilities with their state',
		examples: [
			['switchboard installed', 'with id, state, category, trigger phrases and last change'],
			[String.raw`switchboard installed | awk -F'\t' '$2 == "off" {print $3}'`, 'the names of the abilities that are off'],
			['switchboard installed --off --agent Hearth', 'those that are off and that Hearth has'],
			['switchboard installed --json', 'the records as the service returned them'],
		],
		columns: installedColumns,
		options: [
			['--on', 'only abilities that are on'],
			['--off', 'only abilities that are off'],
			['--agent <agent>', 'only abilities that this agent has'],
			['--category <category>', 'only abilities of this category, such as skill or daemon'],
			['--search <words>', 'only abilities with all these words in the name, a phrase or the category'],
			filterOption,
		],
		list: listRecords('installed', installedColumns, 'Nothing is installed.'),
	});
	defineEditInstalled(installed, run);
	return installed;
};
