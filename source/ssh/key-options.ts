import {cleanText} from '../interface/clean-text.ts';
import {profileNameProblem} from '../settings/profile.ts';
import {readAddressList, type AddressList} from './address-list.ts';

/** The profile of a key whose line names none. */
export const defaultProfileName = 'default';

/** What the options before a key in an `authorized_keys` file say. */
export type KeyOptions = {
	readonly profileName: string;
	readonly isReadOnly: boolean;
	/** Where the key may be used from; everywhere without it. */
	readonly isAllowedFrom?: AddressList | undefined;
};

/** One option at the start of a text: a name, and a value in quotation marks, in which `\"` is a quotation mark. */
const option = /^(?<name>[^\s",=]+)(?:="(?<value>(?:[^"\\]|\\"|\\(?!"))*)")?(?<end>,|$)/u;

/** OpenSSH's own (sshd(8), AUTHORIZED_KEYS FILE FORMAT). They promise what this server does not do. */
const opensshOptions: ReadonlySet<string> = new Set([
	'agent-forwarding',
	'cert-authority',
	'command',
	'environment',
	'expiry-time',
	'no-agent-forwarding',
	'no-port-forwarding',
	'no-pty',
	'no-touch-required',
	'no-user-rc',
	'no-x11-forwarding',
	'permitlisten',
	'permitopen',
	'port-forwarding',
	'principals',
	'pty',
	'restrict',
	'tunnel',
	'user-rc',
	'verify-required',
	'x11-forwarding',
]);

const named = (name: string): string => `the option “${cleanText(name, 40)}”`;

/** A clause about an option that cannot be taken; `undefined` if nothing is wrong with its name. */
const nameProblem = (name: string, value: string | undefined): string | undefined => {
	if (opensshOptions.has(name)) {
		return `${named(name)} is OpenSSH's own and has no meaning here`;
	}

	if (!['profile', 'from', 'read-only'].includes(name)) {
		return `${named(name)} is not known`;
	}

	return (value === undefined) === (name === 'read-only')
		? undefined
		: `${named(name)} ${name === 'read-only' ? 'takes no value' : 'needs a value in quotation marks'}`;
};

/**
Reads the options of a key.

@param text - without blanks outside of quotation marks.
@returns what is wrong with them, as a clause; then the whole line is ignored, because whoever wrote it meant to restrict the key.
*/
export const readKeyOptions = (text: string): KeyOptions | string => {
	const values = new Map<string, string | undefined>();
	let rest = text;
	let isMoreExpected = true;
	while (isMoreExpected) {
		const found = option.exec(rest);
		if (found === null) {
			return 'the options cannot be read';
		}

		const {name = '', value, end} = found.groups!;
		const lowerName = name.toLowerCase();
		const problem = values.has(lowerName) ? `${named(name)} occurs twice` : nameProblem(lowerName, value);
		if (problem !== undefined) {
			return problem;
		}

		values.set(lowerName, value?.replaceAll(String.raw`\"`, '"'));
		rest = rest.slice(found[0].length);
		isMoreExpected = end === ',';
	}

	const profileName = values.get('profile') ?? defaultProfileName;
	const profileProblem = profileNameProblem(profileName);
	if (profileProblem !== undefined) {
		return `the profile “${cleanText(profileName, 60)}” ${profileProblem}`;
	}

	const from = values.get('from');
	const isAllowedFrom = from === undefined ? undefined : readAddressList(from);
	return typeof isAllowedFrom === 'string'
		? `the option “from” ${isAllowedFrom}`
		: {profileName, isReadOnly: values.has('read-only'), isAllowedFrom};
};
