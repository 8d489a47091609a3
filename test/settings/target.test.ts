import {assert, test} from '../helpers/node.ts';
import {SwitchboardError, type ErrorKind} from '../../source/interface/errors.ts';
import type {Profile} from '../../source/settings/profile.ts';
import {resolveTarget, type Target, type TargetOptions} from '../../source/settings/target.ts';

const work: Profile = {name: 'work', baseAddress: 'https://voice.example.com/api-root', apiKey: 'stored-work-key'};
const second: Profile = {name: 'second', baseAddress: 'https://second.example.com', apiKey: 'stored-second-key'};
const publicAddress = 'https://app.openhome.com';

type Situation = Partial<TargetOptions> & {readonly profiles?: readonly Profile[]; readonly current?: string};

const resolve = ({profiles = [work, second], current, ...options}: Situation): Target =>
	resolveTarget({
		settings: {profiles: () => profiles, currentProfileName: () => current},
		env: {},
		isInsecureHttpAllowed: false,
		isForUi: false,
		...options,
	});

const remote = (baseAddress: string, apiKey: string, profileName?: string): Target => ({
	kind: 'remote',
	profileName,
	...(profileName === undefined && {keyVariable: apiKey === everything.OPENHOME_API_KEY ? 'OPENHOME_API_KEY' : 'SWITCHBOARD_API_KEY'}),
	baseAddress,
	apiKey,
	isInsecureHttp: false,
});

function failure(situation: Situation): SwitchboardError {
	try {
		resolve(situation);
	} catch (error) {
		if (error instanceof SwitchboardError) {
			return error;
		}

		throw error;
	}

	throw new Error('A target was found');
}

const everything = {
	SWITCHBOARD_BASE_URL: 'https://environment.example.com',
	SWITCHBOARD_API_KEY: 'environment-key',
	OPENHOME_API_BASE: 'https://openhome.example.com',
	OPENHOME_API_KEY: 'openhome-key',
};

const steps: ReadonlyArray<readonly [title: string, situation: Situation, target: Target]> = [
	[
		'--base-url overrides everything else',
		{baseUrl: 'https://given.example.com', env: everything, current: 'work'},
		remote('https://given.example.com', 'environment-key'),
	],
	[
		'an explicit --profile overrides the environment',
		{profile: 'second', env: everything, current: 'work'},
		remote(second.baseAddress, 'stored-second-key', 'second'),
	],
	[
		'SWITCHBOARD_PROFILE overrides the rest of the environment',
		{env: {...everything, SWITCHBOARD_PROFILE: 'second'}, current: 'work'},
		remote(second.baseAddress, 'stored-second-key', 'second'),
	],
	[
		'--profile overrides SWITCHBOARD_PROFILE',
		{profile: 'work', env: {...everything, SWITCHBOARD_PROFILE: 'second'}},
		remote(work.baseAddress, 'stored-work-key', 'work'),
	],
	[
		'SWITCHBOARD_PROFILE may be the bundled service',
		{env: {...everything, SWITCHBOARD_PROFILE: 'local'}, current: 'work'},
		{kind: 'local'},
	],
	[
		'the UI uses SWITCHBOARD_PROFILE too',
		{env: {...everything, SWITCHBOARD_PROFILE: 'second'}, isForUi: true},
		remote(second.baseAddress, 'stored-second-key', 'second'),
	],
	[
		'an empty SWITCHBOARD_PROFILE counts as not set',
		{env: {SWITCHBOARD_PROFILE: ' '}, current: 'work'},
		remote(work.baseAddress, 'stored-work-key', 'work'),
	],
	[
		'SWITCHBOARD_PROFILE is ignored if --base-url is the address of another service',
		{baseUrl: 'https://given.example.com', env: {...everything, SWITCHBOARD_PROFILE: 'work'}},
		remote('https://given.example.com', 'environment-key'),
	],
	[
		'SWITCHBOARD_PROFILE is ignored with --base-url if it is the bundled service',
		{baseUrl: work.baseAddress, env: {SWITCHBOARD_PROFILE: 'local'}},
		remote(work.baseAddress, 'stored-work-key', 'work'),
	],
	[
		'SWITCHBOARD_PROFILE selects the key if --base-url is its own address, in any spelling',
		{
			baseUrl: 'HTTPS://voice.example.com/api-root/',
			profiles: [work, {...work, name: 'other', apiKey: 'stored-other-key'}],
			env: {...everything, SWITCHBOARD_PROFILE: 'other'},
		},
		remote(work.baseAddress, 'stored-other-key', 'other'),
	],
	[
		'SWITCHBOARD_BASE_URL overrides the current profile',
		{env: everything, current: 'work'},
		remote('https://environment.example.com', 'environment-key'),
	],
	[
		'the current profile overrides OPENHOME_API_BASE',
		{env: {OPENHOME_API_BASE: everything.OPENHOME_API_BASE, OPENHOME_API_KEY: 'openhome-key'}, current: 'work'},
		remote(work.baseAddress, 'stored-work-key', 'work'),
	],
	[
		'without a current profile, OPENHOME_API_BASE is used',
		{env: {OPENHOME_API_BASE: everything.OPENHOME_API_BASE, OPENHOME_API_KEY: 'openhome-key'}},
		remote('https://openhome.example.com', 'openhome-key'),
	],
	['OPENHOME_API_KEY alone selects the public service', {env: {OPENHOME_API_KEY: 'openhome-key'}}, remote(publicAddress, 'openhome-key')],
	[
		'OPENHOME_API_KEY alone selects the public service in the UI too',
		{env: {OPENHOME_API_KEY: 'openhome-key'}, isForUi: true},
		remote(publicAddress, 'openhome-key'),
	],
	['with nothing set up, the UI opens the bundled service', {isForUi: true}, {kind: 'local'}],
	['the current profile may be the bundled service', {current: 'local', env: {OPENHOME_API_KEY: 'openhome-key'}}, {kind: 'local'}],
	['--profile local is the bundled service', {profile: 'local', env: everything, current: 'work'}, {kind: 'local'}],
	[
		'SWITCHBOARD_API_KEY overrides a stored key',
		{current: 'work', env: {SWITCHBOARD_API_KEY: 'environment-key'}},
		remote(work.baseAddress, 'environment-key'),
	],
	[
		'a stored key is used for its own address, in any spelling',
		{baseUrl: 'HTTPS://Voice.Example.COM:443/api-root/'},
		remote(work.baseAddress, 'stored-work-key', 'work'),
	],
	[
		'a stored key overrides OPENHOME_API_KEY',
		{profiles: [{...work, baseAddress: publicAddress}], baseUrl: publicAddress, env: {OPENHOME_API_KEY: 'openhome-key'}},
		remote(publicAddress, 'stored-work-key', 'work'),
	],
	[
		'OPENHOME_API_KEY is sent to OPENHOME_API_BASE, even if an option selects that address',
		{baseUrl: 'https://openhome.example.com/', env: {...everything, SWITCHBOARD_API_KEY: ''}},
		remote('https://openhome.example.com', 'openhome-key'),
	],
	[
		'a profile without a key uses OPENHOME_API_KEY if that is for its address',
		{profiles: [{...work, baseAddress: publicAddress, apiKey: undefined}], current: 'work', env: {OPENHOME_API_KEY: 'openhome-key'}},
		remote(publicAddress, 'openhome-key'),
	],
	[
		'SWITCHBOARD_API_KEY is sent to OPENHOME_API_BASE if no other address is set',
		{env: {SWITCHBOARD_API_KEY: 'environment-key', OPENHOME_API_BASE: everything.OPENHOME_API_BASE}},
		remote('https://openhome.example.com', 'environment-key'),
	],
	[
		'an empty variable counts as not set',
		{env: {SWITCHBOARD_BASE_URL: ' ', SWITCHBOARD_API_KEY: ''}, current: 'work'},
		remote(work.baseAddress, 'stored-work-key', 'work'),
	],
	[
		'a line break after a key is ignored',
		{current: 'work', env: {SWITCHBOARD_API_KEY: 'environment-key\n'}},
		remote(work.baseAddress, 'environment-key'),
	],
	[
		'of several profiles with one address, the current one is used',
		{profiles: [work, {...work, name: 'other', apiKey: 'other-key'}], current: 'other', baseUrl: work.baseAddress},
		remote(work.baseAddress, 'other-key', 'other'),
	],
	[
		'--profile and --base-url with the same address do not conflict',
		{profile: 'work', baseUrl: `${work.baseAddress}/`},
		remote(work.baseAddress, 'stored-work-key', 'work'),
	],
	[
		'plain http to this machine is allowed',
		{baseUrl: 'http://127.0.0.1:8787', env: {SWITCHBOARD_API_KEY: 'environment-key'}},
		remote('http://127.0.0.1:8787', 'environment-key'),
	],
	[
		'plain http to another machine works if it is allowed, and is marked as insecure',
		{baseUrl: 'http://10.0.0.5', isInsecureHttpAllowed: true, env: {SWITCHBOARD_API_KEY: 'environment-key'}},
		{
			kind: 'remote',
			profileName: undefined,
			keyVariable: 'SWITCHBOARD_API_KEY',
			baseAddress: 'http://10.0.0.5',
			apiKey: 'environment-key',
			isInsecureHttp: true,
		},
	],
];

for (const [title, situation, target] of steps) {
	test(title, () => assert.deepEqual(resolve(situation), target));
}

test('a session token goes where OPENHOME_API_KEY goes, not with a profile that is named, and not over plain http to another machine', () => {
	const env = {OPENHOME_API_KEY: 'openhome-key', OPENHOME_JWT: ' "to.ke.n" '};
	const base = 'https://openhome.example.com';
	const insecure = 'http://openhome.example.com';
	const own = {...work, baseAddress: publicAddress};
	const cases: ReadonlyArray<readonly [situation: Situation, token: string | undefined]> = [
		[{env}, 'to.ke.n'],
		[{env, profiles: [own], current: 'work'}, 'to.ke.n'],
		[{env: {...env, OPENHOME_API_BASE: base}}, 'to.ke.n'],
		[{env: {...env, SWITCHBOARD_API_KEY: 'environment-key'}, baseUrl: publicAddress}, 'to.ke.n'],
		[{env: {...env, SWITCHBOARD_PROFILE: 'second'}, baseUrl: publicAddress}, 'to.ke.n'],
		[{env, profiles: [own], profile: 'work'}, undefined],
		[{env: {...env, SWITCHBOARD_PROFILE: 'work'}, profiles: [own]}, undefined],
		[{env: {...env, SWITCHBOARD_API_KEY: 'environment-key'}, baseUrl: base}, undefined],
		[{env: {...env, OPENHOME_API_BASE: base}, profiles: [own], current: 'work'}, undefined],
		[{env: {...env, OPENHOME_API_BASE: insecure}, isInsecureHttpAllowed: true}, undefined],
		[{env: {...env, OPENHOME_API_BASE: 'http://127.0.0.1:8787'}}, 'to.ke.n'],
		[{env: {...env, OPENHOME_JWT: ''}}, undefined],
	];
	for (const [situation, token] of cases) {
		const target = resolve(situation);
		assert.equal(target.kind === 'remote' ? target.sessionToken : target.kind, token, JSON.stringify(situation));
	}
});

const refusals: ReadonlyArray<readonly [title: string, situation: Situation, kind: ErrorKind, words: RegExp]> = [
	['with nothing set up, a command says how to sign in', {}, 'no-key', /switchboard login/],
	[
		'a stored key is not sent to another address',
		{baseUrl: 'https://other.example.com', current: 'work'},
		'no-key',
		/https:\/\/other\.example\.com/,
	],
	[
		'a stored key is not sent to another path of the same host',
		{baseUrl: 'https://voice.example.com', current: 'work'},
		'no-key',
		/switchboard login --base-url/,
	],
	[
		'a stored key is not sent over another scheme',
		{baseUrl: work.baseAddress.replace('https', 'http'), isInsecureHttpAllowed: true, current: 'work'},
		'no-key',
		/no key/,
	],
	[
		'--profile does not send a stored key to another address',
		{profile: 'work', baseUrl: 'https://other.example.com'},
		'usage',
		/not sent to another address/,
	],
	[
		'OPENHOME_API_KEY is sent to its own address only',
		{baseUrl: 'https://other.example.com', env: {OPENHOME_API_KEY: 'openhome-key'}},
		'no-key',
		/other\.example/,
	],
	[
		'OPENHOME_API_KEY is not sent to the public service if OPENHOME_API_BASE is set',
		{baseUrl: publicAddress, env: {OPENHOME_API_KEY: 'openhome-key', OPENHOME_API_BASE: 'https://openhome.example.com'}},
		'no-key',
		/app\.openhome/,
	],
	[
		'OPENHOME_API_KEY is not sent to SWITCHBOARD_BASE_URL',
		{env: {OPENHOME_API_KEY: 'openhome-key', SWITCHBOARD_BASE_URL: 'https://other.example.com'}},
		'no-key',
		/other\.example/,
	],
	[
		'a key from the environment is not used for an explicit profile without a key',
		{profile: 'work', profiles: [{...work, apiKey: undefined}], env: everything},
		'no-key',
		/switchboard login --profile work/,
	],
	[
		'SWITCHBOARD_API_KEY without an address is refused',
		{env: {SWITCHBOARD_API_KEY: 'environment-key', OPENHOME_API_KEY: 'openhome-key'}},
		'usage',
		/SWITCHBOARD_BASE_URL/,
	],
	['an unknown profile is reported with the known ones', {profile: 'wrok'}, 'not-found', /“wrok”.*work, second, local/],
	[
		'an unknown profile of SWITCHBOARD_PROFILE is reported with the variable',
		{env: {SWITCHBOARD_PROFILE: 'wrok'}, current: 'work'},
		'not-found',
		/“wrok” \(from SWITCHBOARD_PROFILE\).*work, second, local/,
	],
	[
		'a key from the environment is not used for a profile of SWITCHBOARD_PROFILE without a key',
		{profiles: [{...work, apiKey: undefined}], env: {...everything, SWITCHBOARD_PROFILE: 'work'}},
		'no-key',
		/switchboard login --profile work/,
	],
	[
		'several keys for one address are ambiguous',
		{profiles: [work, {...work, name: 'other'}], baseUrl: work.baseAddress},
		'ambiguous',
		/work, other/,
	],
	[
		'plain http to another machine is refused',
		{baseUrl: 'http://10.0.0.5', env: {SWITCHBOARD_API_KEY: 'environment-key'}},
		'insecure',
		/--insecure-http/,
	],
	['plain http is refused before a missing key', {baseUrl: 'http://10.0.0.5'}, 'insecure', /--insecure-http/],
	['the error for an address without a scheme suggests one', {baseUrl: 'voice.example.com'}, 'usage', /https:\/\/voice\.example\.com/],
	['the bundled service has no other address', {profile: 'local', baseUrl: 'https://other.example.com'}, 'usage', /local/],
	[
		'the error for an invalid key does not repeat it',
		{current: 'work', env: {SWITCHBOARD_API_KEY: 'two words'}},
		'usage',
		/^(?!.*two words).*SWITCHBOARD_API_KEY/,
	],
];

for (const [title, situation, kind, words] of refusals) {
	test(title, () => {
		const error = failure(situation);
		assert.equal(error.kind, kind);
		assert.match(`${error.message} ${error.nextStep ?? ''}`, words);
		assert.doesNotMatch(`${error.message} ${error.nextStep ?? ''}`, /stored-|openhome-key|environment-key/);
	});
}
