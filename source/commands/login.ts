import {normalizeBaseAddress, publicServiceAddress, refuseInsecureAddress} from '../interface/base-address.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {readApiKey} from '../settings/api-key.ts';
import {
	keyLastFour,
	refuseProfileName,
	suggestProfileName,
	type Profile,
} from '../settings/profile.ts';
import type {Settings} from '../settings/settings.ts';
import {withRefusedKeyHelp} from '../settings/sign-in-hint.ts';
import {examples, type DefineCommand} from './command.ts';
import {notStored} from './not-stored.ts';
import {isInteractive, type Context} from './context.ts';
import {
	dryRunOption,
	noteDryRun,
	startLocalChange,
	type DryRunOption,
} from './dry-run.ts';
import {ask, askSecret} from './input/ask.ts';
import {readStandardInput} from './input/read-text.ts';
import {warnOfProfileVariable} from './profile-variable.ts';
import {openClient, openSettingsWithNotices} from './with-service.ts';

type LoginOptions = DryRunOption & {readonly apiKeyStdin?: boolean};

/**
The address that a command would use (`CONTRACT.md`, Which service), or that of the public service: a key meant for the
service in use must not be sent elsewhere.
*/
const likelyAddress = ({options, env}: Context, settings: Settings): string => {
	const profileNamed = (name: string | undefined) => settings.profiles().find(profile => profile.name === name);
	return [
		profileNamed(options.profile)?.baseAddress,
		env['SWITCHBOARD_BASE_URL'],
		options.profile === undefined ? profileNamed(settings.currentProfileName())?.baseAddress : undefined,
		env['OPENHOME_API_BASE'],
	].find(address => address?.trim()) ?? publicServiceAddress;
};

const chooseAddress = async (context: Context, settings: Settings, isKeyPiped: boolean): Promise<string> => {
	const {baseUrl} = context.options;
	if (baseUrl !== undefined) {
		return normalizeBaseAddress(baseUrl);
	}

	const likely = likelyAddress(context, settings);
	if (isKeyPiped || !isInteractive(context)) {
		return normalizeBaseAddress(likely);
	}

	const answer = await ask(context, `Address of the service [${likely}]: `);
	return normalizeBaseAddress(answer.trim() === '' ? likely : answer);
};

const chooseKey = async (context: Context, baseAddress: string, isKeyPiped: boolean): Promise<string> => {
	if (isKeyPiped) {
		const key = readApiKey(await readStandardInput(context), 'standard input');
		if (key === undefined) {
			throw new SwitchboardError('no-key', 'No key on standard input.');
		}

		return key;
	}

	const {env, note} = context;
	const given = readApiKey(env['SWITCHBOARD_API_KEY'], 'SWITCHBOARD_API_KEY');
	if (given !== undefined) {
		note(`Using the key in SWITCHBOARD_API_KEY, ending in ${keyLastFour({apiKey: given})!}.`);
		return given;
	}

	if (!isInteractive(context)) {
		throw new SwitchboardError('no-key', `No key for ${baseAddress}, and no terminal to ask for one.`, {
			nextStep: 'Pipe one in: switchboard login --api-key-stdin < key.txt',
		});
	}

	const key = readApiKey(await askSecret(context, 'API key: '), 'the answer');
	if (key === undefined) {
		throw new SwitchboardError('no-key', 'No key was given.', {nextStep: 'Create one in the dashboard of the service, under Settings, API Keys.'});
	}

	return key;
};

/** The name of the profile: the wanted one, or a suggestion for the address. */
const chooseName = (settings: Settings, wanted: string | undefined, baseAddress: string): string => {
	const name = wanted ?? suggestProfileName(settings.profiles(), baseAddress, settings.currentProfileName());
	refuseProfileName(name);
	return name;
};

const store = async (context: Context, settings: Settings, profile: Profile): Promise<void> => {
	await settings.saveProfile(profile);
	if (settings.isMemoryOnly()) {
		throw notStored(settings, {
			what: 'The key was accepted, but could not be stored',
			instead: 'set SWITCHBOARD_BASE_URL and SWITCHBOARD_API_KEY',
		});
	}

	warnOfProfileVariable(context, profile.name);
};

const login = async (given: Context, {apiKeyStdin = false, ...options}: LoginOptions): Promise<void> => {
	const context = startLocalChange(given, options);
	const {profile, isInsecureHttpAllowed, isJson} = context.options;
	if (profile !== undefined) {
		refuseProfileName(profile);
	}

	const settings = await openSettingsWithNotices(context);
	const baseAddress = await context.waitFor(async () => chooseAddress(context, settings, apiKeyStdin));
	refuseInsecureAddress(baseAddress, isInsecureHttpAllowed);
	const apiKey = await context.waitFor(async () => chooseKey(context, baseAddress, apiKeyStdin));
	const isFromVariable = !apiKeyStdin && readApiKey(context.env['SWITCHBOARD_API_KEY'], 'SWITCHBOARD_API_KEY') !== undefined;
	const client = await openClient(context, {baseAddress, apiKey, keyVariable: isFromVariable ? 'SWITCHBOARD_API_KEY' : undefined});
	try {
		context.showProgress(`Asking ${baseAddress} whether it accepts the key …`);
		await client.checkKey(context.readSignal);
	} catch (error) {
		throw isFromVariable ? withRefusedKeyHelp(error, nextStep => [nextStep, 'Change or unset the variable, then sign in again.'].filter(Boolean).join(' ')) : error;
	}

	context.signal.throwIfAborted();
	const name = chooseName(settings, profile, baseAddress);
	if (!context.isDryRun) {
		await store(context, settings, {name, baseAddress, apiKey});
	}

	if (isJson) {
		await context.printJson({profile: name, base_url: baseAddress});
	} else {
		context.print(`${context.isDryRun ? 'Would sign in' : 'Signed in'} to ${baseAddress} as the profile “${name}”, with the key ending in ${keyLastFour({apiKey})!}.`);
	}

	noteDryRun(context);
};

export const defineLogin: DefineCommand = (parent, run) => parent
	.command('login')
	.description('sign in to a service and store its address and key as a profile')
	.option('--api-key-stdin', 'read the key from standard input')
	.option(...dryRunOption)
	.addHelpText('after', examples(
		['switchboard login', 'asks for the address and the key'],
		['switchboard login --base-url https://voice.example.com --profile work', 'stored as the profile “work”'],
		['switchboard login --api-key-stdin < key.txt', 'without a terminal'],
	))
	.action(run(login));
