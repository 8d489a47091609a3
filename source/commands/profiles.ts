import {SwitchboardError} from '../interface/errors.ts';
import {wordList} from '../interface/format-count.ts';
import {findRemovableProfile, keyLastFour, localProfileName, refuseUnknownProfile, type StoredProfiles} from '../settings/profile.ts';
import type {Settings} from '../settings/settings.ts';
import {inspectTarget, type TargetFindings} from '../settings/target.ts';
import type {Action, DefineCommand} from './command.ts';
import {changeSettings, keepPromptsOption, noteEarlierPrompts, warnOfProfileVariable, type KeepPromptsOption} from './sign-in.ts';
import {isForPerson, type Context} from './context.ts';
import {confirmOnTerminal} from './input/confirm.ts';
import {defineListCommand} from './list-command.ts';
import type {Column} from './output/lay-table.ts';
import {chosenFormat, printRows, type TableOptions} from './output/table.ts';
import {openSettingsWithNotices, targetOptions} from './with-service.ts';
import {dryRunOption} from './options.ts';

type ProfileRow = {
	readonly name: string;
	/** Null for the bundled service, whose address changes with each start. */
	readonly base_url: string | null;
	readonly current: boolean;
	/** Null if there is no key. */
	readonly key_last4: string | null;
	/** True if a command with these options and this environment would use it. */
	readonly in_use: boolean;
};

const columns: ReadonlyArray<Column<ProfileRow>> = [
	{
		// The current profile is marked even if another one is used.
		title: ' ',
		name: 'in_use',
		text: row => (row.in_use ? '>' : row.current ? '*' : ''),
		value: row => row.in_use,
	},
	{title: 'PROFILE', name: 'name', text: row => row.name, minimumWidth: 12},
	{
		title: 'ADDRESS',
		name: 'base_url',
		text: row => row.base_url ?? 'the bundled service on this machine',
		value: row => row.base_url,
		minimumWidth: 20,
		givesWay: 2,
	},
	{
		title: 'KEY',
		name: 'key_last4',
		text: row => (row.key_last4 === null ? (row.base_url === null ? 'not needed' : 'signed out') : `…${row.key_last4}`),
		value: row => row.key_last4,
		givesWay: 1,
	},
];

/** Returns the stored profiles, and the bundled service if it is the current one or in use; a table for a person always has it. */
function rowsOf(settings: StoredProfiles, usedName: string | undefined, isTable: boolean): readonly ProfileRow[] {
	const current = settings.currentProfileName();
	const rowOf = (name: string, address: string | null, keyEnd: string | undefined): ProfileRow => ({
		name,
		base_url: address,
		current: name === current,
		key_last4: keyEnd ?? null,
		in_use: name === usedName,
	});
	const stored = settings.profiles().map(profile => rowOf(profile.name, profile.baseAddress, keyLastFour(profile)));
	const local = rowOf(localProfileName, null, undefined);
	return isTable || local.current || local.in_use ? [...stored, local] : stored;
}

/** Returns a sentence about a choice by the environment or an option that overrides the settings; `undefined` if there is none. */
function explainChoice({profile, address, key, outcome}: TargetFindings): string | undefined {
	const service = profile === undefined ? address?.baseAddress : `“${profile.name}”`;
	const source = profile === undefined || profile.source === 'base_url' ? address?.source : profile.source;
	const isChosen = source !== undefined && source !== 'current profile';
	if (outcome instanceof SwitchboardError && (isChosen || outcome.field === 'api_key')) {
		return `Commands here fail: ${outcome.message}`;
	}

	if (isChosen) {
		return `Commands here use ${service}, because of ${source}.`;
	}

	return key?.source === 'SWITCHBOARD_API_KEY'
		? 'SWITCHBOARD_API_KEY is set: commands here use its key instead of the stored one.'
		: undefined;
}

async function printProfiles(context: Context, settings: StoredProfiles, options: TableOptions = {}): Promise<TargetFindings> {
	const findings = inspectTarget(targetOptions(context, settings));
	const isTable = isForPerson(context) && [undefined, 'table'].includes(chosenFormat(context.options, options));
	const rows = rowsOf(settings, findings.profile?.name, isTable);
	await printRows(context, columns, rows, {ifEmpty: 'There are no profiles. Create one with: switchboard login', options});
	if (isTable && rows.every(({base_url: address, current, in_use: isUsed}) => address === null && !current && !isUsed)) {
		context.note('There are no other profiles. Create one with: switchboard login');
	}

	return findings;
}

type ProfilesChange = {
	readonly change: (settings: Settings, name: string, context: Context, options: KeepPromptsOption) => Promise<void>;
	/** The profiles after the change; throws if the change would. */
	readonly preview: (settings: Settings, name: string, context: Context, options: KeepPromptsOption) => StoredProfiles;
	/** The question to ask on a terminal first; `undefined` for none. */
	readonly questionFor?: (settings: Settings, name: string, options: KeepPromptsOption) => string | undefined;
};

/** Returns an action that changes the stored profiles, then lists them. */
const changeProfiles =
	({change, preview, questionFor}: ProfilesChange): Action<readonly [name: string, options: KeepPromptsOption]> =>
	async (context, name, options) => {
		const settings = await openSettingsWithNotices(context);
		if (context.isDryRun) {
			await printProfiles(context, preview(settings, name, context, options));
			return;
		}

		const question = questionFor?.(settings, name, options);
		if (question !== undefined) {
			await confirmOnTerminal(context, question, 'Nothing was removed.', async () => {
				await printProfiles(context, settings);
			});
		}

		const words = {what: 'The change could not be stored'};
		await changeSettings(context, settings, words, async () => change(settings, name, context, options));
		await printProfiles(context, settings);
	};

export const defineProfiles: DefineCommand = (parent, run) => {
	const profiles = defineListCommand(parent, run, {
		name: 'profiles',
		description: 'list profiles: services that you signed in to',
		examples: [
			['switchboard profiles', '“>” marks the one in use here, “*” the current one if another is in use'],
			['switchboard profiles use work', 'switch to another one'],
			['switchboard profiles use local', 'use the bundled service in commands'],
		],
		columns,
		async list(context, options) {
			const findings = await printProfiles(context, await openSettingsWithNotices(context), options);
			const explanation = explainChoice(findings);
			if (explanation !== undefined) {
				context.note(explanation);
			}
		},
	});
	profiles
		.command('use')
		.description('use a profile from now on; “local” is the bundled service')
		.argument('<profile>', 'its name')
		.option(...dryRunOption)
		.examples(['switchboard profiles use work', 'for commands and the terminal UI'])
		.action(
			run(
				changeProfiles({
					async change(settings, name, context) {
						await settings.useProfile(name);
						warnOfProfileVariable(context, name);
					},
					preview(stored, name) {
						refuseUnknownProfile(stored.profiles(), name);
						return {...stored, currentProfileName: () => name};
					},
				}),
				{isLocal: true},
			),
		);
	profiles
		.command('remove')
		.description('remove a profile with its key, its presets and everything kept for it')
		.argument('<profile>', 'its name')
		.option(...keepPromptsOption)
		.option('--yes', 'skip the confirmation')
		.option(...dryRunOption)
		.examples(
			['switchboard profiles remove work', 'on a terminal, ask first if it has a key'],
			['switchboard profiles remove work --yes', 'for scripts'],
		)
		.action(
			run(
				changeProfiles({
					async change(settings, name, context, {keepPrompts: areKept = false}) {
						findRemovableProfile(settings.profiles(), name);
						const prompts = settings.earlierPrompts(name);
						if (await settings.removeProfile(name, {arePromptsKept: areKept})) {
							noteEarlierPrompts(context, prompts, areKept);
						}
					},
					questionFor(settings, name, {keepPrompts: areKept = false}) {
						const lastFour = keyLastFour(findRemovableProfile(settings.profiles(), name));
						const {count, text} = settings.earlierPrompts(name);
						const isLosingPrompts = count > 0 && !areKept;
						if (lastFour === undefined && !isLosingPrompts) {
							return undefined;
						}

						const prompts = isLosingPrompts ? text : 'its kept prompts';
						const lost = [
							...(lastFour === undefined ? [] : [`its key (…${lastFour})`]),
							'its presets',
							'its unsaved texts',
							...(areKept ? [] : [prompts]),
						];
						return `Remove the profile “${name}”? I${wordList(lost).slice(1)} are deleted; this cannot be undone.${isLosingPrompts ? ' --keep-prompts keeps the prompts.' : ''}`;
					},
					preview(stored, name, context, {keepPrompts: areKept = false}) {
						findRemovableProfile(stored.profiles(), name);
						noteEarlierPrompts(context, stored.earlierPrompts(name), areKept);
						const current = stored.currentProfileName();
						return {
							profiles: () => stored.profiles().filter(profile => profile.name !== name),
							currentProfileName: () => (current === name ? undefined : current),
						};
					},
				}),
				{isLocal: true},
			),
		);
	return profiles;
};
