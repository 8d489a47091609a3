import {namedChanges} from '../bundle/compare-files.ts';
import type {PackedAbility} from '../bundle/pack-ability.ts';
import {applyToEach} from './apply-to-each.ts';
import {examples, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {dryRunOption, startChange, type DryRunOption} from './dry-run.ts';
import {failureStatus} from './item-outcome.ts';
import {readResourceList} from './read-list.ts';
import {reportItems, throwFailures} from './report-items.ts';
import {packAll, preparePushes, type Push} from './source/prepare-push.ts';
import {
	completePushes,
	sendPush,
	type Pushed,
	type PushOutcome,
} from './source/send-push.ts';
import {warnOfSilentSkill} from './source/upload-of.ts';
import {withService} from './with-service.ts';

type PushOptions = DryRunOption & {readonly message?: string};

const noteLeftOut = ({note}: Context, all: readonly PackedAbility[]): void => {
	for (const {name, leftOut} of all) {
		if (leftOut.length > 0) {
			note(`Skipped${all.length === 1 ? '' : ` in ${name}`}: ${leftOut.join(', ')}`);
		}
	}
};

const sentence = ({name, work}: Push, {id, version}: Pushed, isDryRun: boolean): string => {
	switch (work.action) {
		case 'created': {
			const details = [id === undefined ? '' : `id ${id}`, version === undefined ? '' : `version ${version}`].filter(Boolean).join(', ');
			return isDryRun ? `Would create ${name}.` : `Created ${name}${details === '' ? '' : ` (${details})`}.`;
		}

		case 'updated': {
			const files = namedChanges(work.files);
			return isDryRun ? `Would release ${name}: ${files}.` : `Released ${version === undefined ? '' : `version ${version} of `}${name}: ${files}.`;
		}

		case 'unchanged': {
			return `${name} is unchanged.`;
		}
	}
};

const report = async (context: Context, outcomes: readonly PushOutcome[]): Promise<void> => {
	await reportItems(context, outcomes, {
		idField: 'capability_id',
		toJson: outcome => 'result' in outcome
			? {capability_id: outcome.result.id ?? null, action: outcome.result.action, version: outcome.result.version ?? null}
			: {action: null, version: null},
		toFields: outcome => 'result' in outcome
			? [outcome.result.id ?? '', outcome.item.name, outcome.result.action, outcome.result.version ?? '']
			: [outcome.item.id ?? '', outcome.item.name, failureStatus(outcome), ''],
		toSentence: (push, pushed) => sentence(push, pushed, context.isDryRun),
	});
};

const pushAbilities = async (given: Context, folders: readonly string[], {message, ...options}: PushOptions): Promise<void> => {
	const context = startChange(given, options);
	const all = await packAll(folders);
	noteLeftOut(context, all);
	const outcomes = await withService(context, async service => {
		const pushes = await preparePushes(context, service, all, await readResourceList(context, service, 'abilities'));
		for (const {packed, work} of pushes) {
			if (work.action === 'created') {
				warnOfSilentSkill(context, packed, 'Add some as matching_hotwords to its config.json.');
			}
		}

		const send = async (): Promise<readonly PushOutcome[]> => {
			const sent = await applyToEach(context, pushes, {doing: 'Pushing', action: async push => sendPush(context, service, push, message)});
			const completed = await completePushes(context, service, sent);
			await report(context, completed);
			return completed;
		};

		return context.finishBeforeExit(send());
	});
	throwFailures(outcomes, {doneWord: 'pushed', wordOf: ({action}) => action === 'unchanged' ? action : 'pushed', nextStep: 'Run the command again: it sends only what differs.'});
};

export const definePushAbilities: DefineCommand = (parent, run) => parent
	.command('push')
	.description('create abilities from folders; of those that exist, release a new version where the files differ')
	.argument('<folder...>', 'each contains main.py and __init__.py; its config.json, or else its own name, names the ability')
	.option('--message <text>', 'what the new versions change; by default, the files that differ')
	.option(...dryRunOption)
	.addHelpText('after', examples(
		['switchboard abilities push ./pantry', 'create it, or release it anew if it differs'],
		['switchboard abilities push ./abilities/* --message "Say please"', 'several; nothing is sent unless all could be compared'],
		['switchboard abilities push ./pantry --dry-run', 'what it would do'],
	))
	.action(run(pushAbilities));
