import {Buffer} from 'node:buffer';
import {createHash, createPublicKey, type AsymmetricKeyDetails} from 'node:crypto';
import ssh2 from 'ssh2';
import {cleanText} from '../interface/clean-text.ts';
import {localProfileName, profileNameProblem} from '../settings/profile.ts';
import {isTimeZone} from '../words/time-zone.ts';
import {readAddressList, type AddressList} from './address-list.ts';

const keyTypes: readonly string[] = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521', 'ssh-rsa'];

/** OpenSSL does not verify longer RSA keys. */
const rsaBits = {smallest: 2048, largest: 16_384};

/** An RSA signature names its hash. SHA-1 is not accepted. */
const rsaHashes: ReadonlySet<string | undefined> = new Set(['sha256', 'sha512']);

/** The start of an ECDSA key's point, after its type and its curve, whose names have equal lengths for all curves. */
const pointStart = 39;

const uncompressedPoint = 4;

/** Returns a fingerprint as OpenSSH prints it: `SHA256:…`. */
export function fingerprintOf(blob: Uint8Array): string {
	return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;
}

const notValid = 'is not valid';

/**
Reads the blob of a public key (RFC 4253, section 6.6), and checks that it is a key in the only valid form: `ssh2` accepts other forms too,
and skips data after a key.

@returns a clause about the key, such as “is not valid”, if it cannot be used.
*/
export function readPublicKey(blob: Buffer) {
	const type = keyTypes.find(each => blob.toString('latin1', 4, 4 + each.length) === each);
	if (type === undefined) {
		return `is of no type that is accepted: ${keyTypes.join(', ')}`;
	}

	const key = ssh2.utils.parseKey(`${type} ${blob.toString('base64')}`);
	if (key instanceof Error || !key.getPublicSSH().equals(blob) || (type.startsWith('ecdsa') && blob[pointStart] !== uncompressedPoint)) {
		return notValid;
	}

	try {
		const pem = key.getPublicPEM();
		const parsed = createPublicKey(pem);
		const isCanonical = parsed.export({type: 'spki', format: 'pem'}).toString().trim() === pem.trim();
		const problem = isCanonical ? (type === 'ssh-rsa' ? rsaProblem(parsed.asymmetricKeyDetails!) : undefined) : notValid;
		return (
			problem ?? {
				type,
				blob,
				fingerprint: fingerprintOf(blob),
				/** @param hash - the hash of an RSA signature; other types have a fixed one. */
				verifies(data: Buffer, signature: Buffer, hash: string | undefined): boolean {
					if (type === 'ssh-rsa' && !rsaHashes.has(hash)) {
						return false;
					}

					// An `Error`, which would count as true, for a malformed signature.
					const result: unknown = key.verify(data, signature, type === 'ssh-rsa' ? hash : undefined);
					return result === true;
				},
			}
		);
	} catch {
		return notValid;
	}
}

/** @returns a clause about an RSA key that is too weak, or too expensive to verify with. */
function rsaProblem({modulusLength = 0, publicExponent = 0n}: AsymmetricKeyDetails): string | undefined {
	if (modulusLength < rsaBits.smallest || modulusLength > rsaBits.largest) {
		return `has ${modulusLength} bits, and must have ${rsaBits.smallest} to ${rsaBits.largest}`;
	}

	return publicExponent >= 2n ** 64n ? notValid : undefined;
}

/** For a key whose line names no profile. */
const defaultProfileName = 'default';

/** A name, and a value in quotation marks, in which `\"` is a quotation mark. */
const option = /(?<name>[^\s",=]+)(?:="(?<value>(?:[^"\\]|\\"|\\(?!"))*)")?(?<end>,|$)/guy;

/** The bundled service has no key that could be lent to others, unless it is served. */
const localProblem =
	'the profile “local” cannot be used over SSH. Run “switchboard serve”, get a key with “switchboard keys create --for-ssh”, sign in with ' +
	'“switchboard login --base-url http://127.0.0.1:8787 --profile home”, then write profile="home" here';

/** The options before a key in an `authorized_keys` file. */
type KeyOptions = {
	readonly profileName: string;
	readonly isReadOnly: boolean;
	/** The addresses where the key may be used; without it, everywhere. */
	readonly isAllowedFrom?: AddressList | undefined;
	/** The person's own zone, an IANA name. */
	readonly timeZone?: string | undefined;
};

export type AuthorizedKey = KeyOptions & {
	readonly key: Exclude<ReturnType<typeof readPublicKey>, string>;
	/** The text after the key, usually the name of its owner; may be empty. */
	readonly comment: string;
};

export type AuthorizedKeys = {
	readonly keys: readonly AuthorizedKey[];
	/** The reasons why lines are ignored, each as a sentence that begins with the number of the line. */
	readonly problems: readonly string[];
};

/** Everything up to the first blank outside of quotation marks, as in OpenSSH. */
const firstWord = /^(?:\\"|"(?:\\"|\\(?!")|[^"\\])*"|\\(?!")|[^\s"\\])+(?=[\t ]|$)/u;

/** Reads an `authorized_keys` file. A line with any mistake lets nobody in. */
export function parseAuthorizedKeys(text: string): AuthorizedKeys {
	const keys: AuthorizedKey[] = [];
	const problems: string[] = [];
	for (const [index, rawLine] of text.split(/\r?\n/).entries()) {
		const line = rawLine.replaceAll(/^[\t ]+|[\t ]+$/g, '');
		if (line === '' || line.startsWith('#')) {
			continue;
		}

		const found = readLine(line);
		if (typeof found === 'string') {
			problems.push(`line ${index + 1} lets nobody in: ${found}.`);
		} else {
			keys.push(found);
		}
	}

	return {keys, problems};
}

/** Reads a line without blanks at its ends; returns a clause about its mistake if it is not valid. */
function readLine(line: string): AuthorizedKey | string {
	if (/[^\P{Control}\t]/u.test(line)) {
		return 'it holds control characters';
	}

	const start = firstWord.exec(line)?.[0];
	if (start === undefined) {
		return 'a quotation mark is not closed';
	}

	const hasOptions = !looksLikeType(start);
	const options = hasOptions ? readKeyOptions(start) : {profileName: defaultProfileName, isReadOnly: false};
	if (typeof options === 'string') {
		return options;
	}

	const [type = '', data = '', ...comment] = (hasOptions ? line.slice(start.length) : line).trim().split(/[\t ]+/);
	if (!keyTypes.includes(type)) {
		return looksLikeType(type)
			? `the key type “${cleanText(type, 60)}” is not accepted; use one of ${keyTypes.join(', ')}`
			: 'there is no key on it';
	}

	const blob = Buffer.from(data, 'base64');
	if (blob.length === 0 || blob.toString('base64') !== data) {
		return 'the key is not valid';
	}

	const key = readPublicKey(blob);
	if (typeof key === 'string') {
		return `the key ${key}`;
	}

	return key.type === type ? {...options, key, comment: cleanText(comment.join(' '), 60)} : `the key is not of the type “${type}”`;
}

const looksLikeType = (word: string): boolean => /^(?:ssh|ecdsa|sk|rsa|x509)-[\w\-.@]+$/i.test(word);

/**
Reads the options of a key, without blanks outside of quotation marks.

@returns a clause about their mistake; then the whole line is ignored, because it was meant to restrict the key.
*/
function readKeyOptions(text: string): KeyOptions | string {
	const found = [...text.matchAll(option)];
	if (found.map(([whole]) => whole).join('') !== text || found.at(-1)?.groups!['end'] === ',') {
		return 'the options cannot be read';
	}

	const values = new Map<string, string | undefined>();
	for (const {groups} of found) {
		const {name = '', value} = groups!;
		const lowerName = name.toLowerCase();
		const problem = values.has(lowerName) ? `${named(lowerName)} occurs twice` : optionProblem(lowerName, value);
		if (problem !== undefined) {
			return problem;
		}

		values.set(lowerName, value?.replaceAll(String.raw`\"`, '"'));
	}

	const profileName = values.get('profile') ?? defaultProfileName;
	if (profileName.toLowerCase() === localProfileName) {
		return localProblem;
	}

	const profileProblem = profileNameProblem(profileName);
	if (profileProblem !== undefined) {
		return `the profile “${cleanText(profileName, 60)}” ${profileProblem}`;
	}

	const timeZone = values.get('timezone');
	if (timeZone !== undefined && !isTimeZone(timeZone)) {
		return `the time zone “${cleanText(timeZone, 60)}” is not known; write it as in timezone="Europe/Berlin"`;
	}

	const from = values.get('from');
	const isAllowedFrom = from === undefined ? undefined : readAddressList(from);
	return typeof isAllowedFrom === 'string'
		? `the option “from” ${isAllowedFrom}`
		: {profileName, isReadOnly: values.has('read-only'), isAllowedFrom, timeZone};
}

const named = (name: string): string => `the option “${cleanText(name, 40)}”`;

/** Returns a clause about an option that is not supported, like all of OpenSSH's own but `from`; `undefined` if its name is valid. */
function optionProblem(name: string, value: string | undefined): string | undefined {
	if (!['profile', 'from', 'read-only', 'timezone'].includes(name)) {
		return `${named(name)} has no meaning here`;
	}

	return (value === undefined) === (name === 'read-only')
		? undefined
		: `${named(name)} ${name === 'read-only' ? 'takes no value' : 'needs a value in quotation marks'}`;
}

/** Returns the first line with the key that also allows the address. */
export function findAuthorizedKey({keys}: AuthorizedKeys, blob: Uint8Array, address: string): AuthorizedKey | undefined {
	return keys.find(({key, isAllowedFrom}) => key.blob.equals(blob) && (isAllowedFrom?.(address) ?? true));
}
