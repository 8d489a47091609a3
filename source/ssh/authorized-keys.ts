import {Buffer} from 'node:buffer';
import {cleanText} from '../interface/clean-text.ts';
import {
	defaultProfileName,
	readKeyOptions,
	type KeyOptions,
} from './key-options.ts';
import {keyTypes, readPublicKey, type PublicKey} from './public-key.ts';

export type AuthorizedKey = KeyOptions & {
	readonly key: PublicKey;
	/** What follows the key, usually whose it is; may be empty. */
	readonly comment: string;
};

export type AuthorizedKeys = {
	readonly keys: readonly AuthorizedKey[];
	/** Why lines are ignored, each as a sentence that begins with the number of the line. */
	readonly problems: readonly string[];
};

/** Everything up to the first blank outside of quotation marks, as OpenSSH has it. */
const firstWord = /^(?:\\"|"(?:\\"|\\(?!")|[^"\\])*"|\\(?!")|[^\s"\\])+(?=[\t ]|$)/u;

const looksLikeType = (word: string): boolean => /^(?:ssh|ecdsa|sk|rsa|x509)-[\w\-.@]+$/i.test(word);

/** Reads a line without blanks at its ends; returns a clause about what is wrong with it if it is not valid. */
const readLine = (line: string): AuthorizedKey | string => {
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
		return looksLikeType(type) ? `the key type “${cleanText(type, 60)}” is not accepted; use one of ${keyTypes.join(', ')}` : 'there is no key on it';
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
};

/** Reads an `authorized_keys` file. A line that is wrong anywhere lets nobody in. */
export const parseAuthorizedKeys = (text: string): AuthorizedKeys => {
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
};

/** The first line with the key that allows it from the address. */
export const findAuthorizedKey = ({keys}: AuthorizedKeys, blob: Uint8Array, address: string): AuthorizedKey | undefined =>
	keys.find(({key, isAllowedFrom}) => key.blob.equals(blob) && (isAllowedFrom?.(address) ?? true));
