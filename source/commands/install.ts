import {unknownOutcomeError} from '../interface/errors.ts';
import {absenceCheck, installedLookup} from '../interface/installed-lookup.ts';
import type {Ability, InstalledAbility} from '../interface/records.ts';
import {applyToEach} from './apply-to-each.ts';
import {examples, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {dryRunOption, startChange, type DryRunOption} from './dry-run.ts';
import {readAndFindAll} from './find-records.ts';
import {
	noWordsNote,
	readWords,
	requireNamesOption,
	wordsHelp,
	type RequireNamesOption,
} from './input/read-words.ts';
import {failureStatus, type ItemOutcome} from './item-outcome.ts';
import {readList} from './read-list.ts';
import {reportItems, throwFailures} from './report-items.ts';
import {resolveUncertain} from './unknown-outcome.ts';
import {withService, type Service} from './with-service.ts';

/** The result is whether the ability was installed now; otherwise it had been before. */
type Outcome = ItemOutcome<Ability, boolean>;

const wordOf = (isChanged: boolean): string => isChanged ? 'installed' : 'unchanged';

/** Looks up the abilities whose installation got no answer: one that the list has now and had not before is installed. */
const resolve = async (context: Context, {client}: Service, before: readonly InstalledAbility[], outcomes: readonly Outcome[]): Promise<readonly Outcome[]> => {
	const idsBefore = new Set(before.map(({id}) => id));
	return resolveUncertain<Ability, boolean, InstalledAbility>(context, outcomes, {
		read: async signal => client.list('installed', signal),
		judge({item, error}, list) {
			const added = list?.records.filter(({id}) => !idsBefore.has(id)) ?? [];
			if (installedLookup(added)(item) !== undefined) {
				return {item, result: true};
			}

			const isAbsent = list?.isComplete === true && absenceCheck(added)({...item, isInstalled: undefined});
			const sentence = isAbsent
				? `${item.name} is not installed yet: the request was sent and may still arrive.`
				: `It is not known whether ${item.name} is installed: the request was sent and may still arrive.`;
			return {
				item, seen: isAbsent ? item : undefined, error: unknownOutcomeError(error, sentence, 'Check with: switchboard installed'),
			};
		},
	});
};

const report = async (context: Context, outcomes: readonly Outcome[]): Promise<void> => {
	await reportItems(context, outcomes, {
		idField: 'capability_id',
		toJson(outcome) {
			if ('result' in outcome) {
				return {installed: true, changed: outcome.result};
			}

			return failureStatus(outcome) === 'not known'
				? {installed: outcome.seen === undefined ? null : false, changed: null}
				: {installed: false, changed: false};
		},
		toFields: outcome => [outcome.item.id, outcome.item.name, 'result' in outcome ? wordOf(outcome.result) : failureStatus(outcome)],
		toSentence({name}, isChanged) {
			return isChanged ? `${context.isDryRun ? 'Would install' : 'Installed'} ${name}.` : `${name} ${context.isDryRun ? 'is' : 'was'} already installed.`;
		},
	});
};

/** Installs the abilities that are not installed, and prints the outcome of each. */
const installEach = async (context: Context, service: Service, abilities: readonly Ability[], installed: readonly InstalledAbility[]): Promise<readonly Outcome[]> => {
	const findInstalled = installedLookup(installed);
	const outcomes = await applyToEach(context, abilities, {
		doing: 'Installing',
		async action(ability) {
			if (ability.isInstalled ?? (findInstalled(ability) !== undefined)) {
				return false;
			}

			if (!context.isDryRun) {
				await service.client.installAbility(ability, context.writeSignal);
			}

			return true;
		},
	});
	const resolved = await resolve(context, service, installed, outcomes);
	await report(context, resolved);
	return resolved;
};

const installAbilities = async (given: Context, givenWords: readonly string[], options: DryRunOption & RequireNamesOption): Promise<void> => {
	const context = startChange(given, options);
	const words = await readWords(context, givenWords, options);
	if (words.length === 0) {
		context.note(noWordsNote);
		await report(context, []);
		return;
	}

	const outcomes = await withService(context, async service => {
		const abilities = await readAndFindAll(context, service, words, {resource: 'abilities'});
		const installed = await readList(context, service, 'installed');
		return context.finishBeforeExit(installEach(context, service, abilities, installed));
	});
	throwFailures(outcomes, {doneWord: 'installed', wordOf, nextStep: 'Run the command again for the ones that failed.'});
};

export const defineInstall: DefineCommand = (parent, run) => parent
	.command('install')
	.description('install abilities')
	.argument('<ability...>', wordsHelp)
	.option(...requireNamesOption)
	.option(...dryRunOption)
	.addHelpText('after', examples(
		['switchboard install pantry', 'by name'],
		['switchboard install 4 7 deskmusic', 'several; nothing is changed unless all are found'],
		['switchboard install - < names.txt', 'the names on standard input, one per line'],
	))
	.action(run(installAbilities));
