import {Help} from 'commander';
import {endpoints, type Operation} from '../../interface/endpoints.ts';
import {keyLastFour} from '../../settings/profile.ts';
import type {TargetFindings} from '../../settings/target.ts';
import {isForPerson, type Context} from '../context.ts';
import {printFields, type Field} from '../output/fields.ts';
import {outputWidth} from '../output/output-width.ts';
import {allowedCommands} from '../ssh/allowed-commands.ts';
import type {ProbeResult} from './probe.ts';

const snakeCase = (operation: string): string => operation.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

/** The operations that a command on the service needs, by the words that name it. */
const neededOperations: Readonly<Record<string, readonly Operation[]>> = {
	agents: ['listAgents'],
	'agents edit': ['listAgents', 'editAgent'],
	abilities: ['listAbilities'],
	// A service that shows no single ability has it in its list.
	'abilities get': ['listAbilities'],
	'abilities upload': ['uploadAbility'],
	'abilities push': ['listAbilities', 'getTemplateFile', 'uploadAbility', 'getInstalledByAbility', 'releaseCode'],
	'abilities pull': ['listAbilities', 'getTemplateFile'],
	'abilities diff': ['listAbilities', 'getTemplateFile'],
	'abilities delete': ['listAbilities', 'deleteAbility'],
	installed: ['listInstalled'],
	'installed edit': ['listInstalled', 'editInstalled'],
	enable: ['listInstalled', 'editInstalled'],
	disable: ['listInstalled', 'editInstalled'],
	toggle: ['listInstalled', 'editInstalled'],
	install: ['listAbilities', 'listInstalled', 'installAbility'],
	uninstall: ['listInstalled', 'uninstallAbility'],
};

/** True for a command that this person may run here, as far as the service has it. */
const isAllowed = (command: string, {session, options}: Context): boolean =>
	(session === undefined || Object.hasOwn(allowedCommands, command))
	&& !(options.isReadOnly && neededOperations[command]!.some(operation => endpoints[operation].isWrite));

/** True if a command works, false if the service lacks an operation that it needs, null if that is not known. */
const worksWith = (command: string, operations: ProbeResult['operations']): boolean | null => {
	const states = new Set(neededOperations[command]!.map(operation => operations[operation]));
	return states.has(false) ? false : (states.has(null) ? null : true);
};

const yesOrNo = (value: boolean | null | undefined): string => value === null || value === undefined ? 'not known' : (value ? 'yes' : 'no');

/** A value and where it comes from. */
const withSource = (value: string | undefined, source: string | undefined): string =>
	`${value ?? 'none'}${source === undefined ? '' : ` (${source})`}`;

/** Where a part comes from, for a person. */
const sourceTexts: Readonly<Record<string, string>> = {
	'current profile': 'the current profile',
	ssh: 'yours on this server',
	base_url: 'has the key for this address',
	profile: 'stored in the profile',
};

/** What a long value is indented by. */
const nameWidth = 14;

/** Commander does not wrap a column of less than 40 characters unless told to. */
const narrowHelp = Object.assign(new Help(), {minWidthToWrap: 0});

const sourceText = (source: string | undefined): string | undefined => source === undefined ? undefined : sourceTexts[source] ?? `from ${source}`;

/** What may be shown of the key. */
const keyText = (key: TargetFindings['key'], {session}: Context): string => {
	if (session !== undefined && key !== undefined) {
		return 'kept by this server';
	}

	const end = keyLastFour({apiKey: key?.apiKey});
	return withSource(end === undefined ? undefined : `…${end}`, sourceText(key?.source));
};

/** A long value in as many lines as a terminal needs. */
const inLines = (context: Context, name: string, value: string): readonly Field[] => isForPerson(context)
	? narrowHelp.boxWrap(value, outputWidth(context.streams.stdout) - nameWidth).split('\n').map((line, index): Field => [index === 0 ? name : '', line])
	: [[name, value]];

/** Prints what was found out; `probed` is missing if no service was asked. */
export const printStatus = async (context: Context, {profile, address, key, outcome}: TargetFindings, probed: ProbeResult | undefined): Promise<void> => {
	const isLocal = !(outcome instanceof Error) && outcome.kind === 'local';
	if (context.options.isJson) {
		await context.printJson({
			profile: profile?.name ?? null,
			profile_source: profile?.source ?? null,
			base_url: address?.baseAddress ?? null,
			base_url_source: address?.source ?? null,
			key_last4: keyLastFour({apiKey: key?.apiKey}) ?? null,
			key_source: key?.source ?? null,
			reachable: probed?.isReachable ?? null,
			key_accepted: probed?.isKeyAccepted ?? null,
			operations: Object.fromEntries((Object.keys(endpoints) as readonly Operation[]).map(operation => [snakeCase(operation), probed?.operations[operation] ?? null])),
		});
		return;
	}

	const commands = probed?.isKeyAccepted ? Object.keys(neededOperations).filter(command => isAllowed(command, context)) : [];
	const thatWork = (wanted: boolean | null): string => commands.filter(command => worksWith(command, probed!.operations) === wanted).join(', ');
	printFields(context, [
		['profile', withSource(profile?.name, sourceText(profile?.source))],
		['address', isLocal ? 'the bundled service on this machine' : withSource(address?.baseAddress, sourceText(address?.source))],
		['key', isLocal ? 'not needed' : keyText(key, context)],
		['reachable', yesOrNo(probed?.isReachable)],
		['key accepted', yesOrNo(probed?.isKeyAccepted)],
		...inLines(context, 'works', thatWork(true)),
		...inLines(context, 'unavailable', thatWork(false)),
		...inLines(context, 'not known', thatWork(null)),
	]);
};
