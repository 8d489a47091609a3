import {hideInCleanedTexts} from '../interface/clean-text.ts';
import {SwitchboardError} from '../interface/errors.ts';

/** A shorter key could be an ordinary word; no service issues one. */
const shortestKey = 4;

/** Within records: removing a shorter key would change the text shown. */
const shortestKeyInRecords = 8;

/** The replacement of the key in records. Nobody types this text, so a record with it must not be sent back. */
const removedKey = '[API key removed]';

/** Where the key belongs in the address of a WebSocket. Not beside the transport: the screens start without that. */
export const keyPlace = '[key]';

/**
Returns a function that replaces the key with `[key]`: some services repeat it in their error messages. All text from
outside passes through it before it enters a message or a log.
*/
export function createKeyRedactor(apiKey: string): (text: string) => string {
	return apiKey.length < shortestKey ? text => text : createRedactor(apiKey, '[key]');
}

function createRedactor(apiKey: string, replacement: string): (text: string) => string {
	const spellings = spellingsOf(apiKey);
	return text => {
		let redacted = text;
		for (const spelling of spellings) {
			redacted = redacted.replaceAll(spelling, replacement);
		}

		return redacted;
	};
}

const spellingsOf = (apiKey: string): readonly string[] => [
	...new Set([apiKey, encodeURIComponent(apiKey), encodeURI(apiKey), JSON.stringify(apiKey).slice(1, -1)]),
];

/** Returns the text without any of these keys. */
export function removeKeys(text: string, keys: ReadonlyArray<string | undefined>): string {
	let left = text;
	for (const key of keys) {
		left = key === undefined ? left : createKeyRedactor(key)(left);
	}

	return left;
}

/**
Returns a function that does so for the body of an answer, so that no record carries the key to the screen, into a file or into the output.
A key in pieces is removed once these are joined.
*/
export function createBodyRedactor(apiKey: string): (body: string) => string {
	if (apiKey.length < shortestKeyInRecords) {
		return body => body;
	}

	hideInCleanedTexts(apiKey, removedKey);
	const redact = createRedactor(apiKey, removedKey);
	return body => {
		const redacted = redact(body);
		if (!/\\(?:u00[2-7]|\/)/i.test(redacted)) {
			return redacted;
		}

		const plain = withoutNeedlessEscapes(redacted);
		const redactedPlain = redact(plain);
		return redactedPlain === plain ? redacted : redactedPlain;
	};
}

/** JSON may escape any character; necessary escapes stay. */
const withoutNeedlessEscapes = (json: string): string =>
	json.replaceAll(/\\(?:u00(?<hex>[2-7][\da-f])|[\s\S])/gi, (escape, hex: string | undefined) => {
		if (hex === undefined) {
			return escape === String.raw`\/` ? '/' : escape;
		}

		const character = String.fromCodePoint(Number.parseInt(hex, 16));
		return character === '"' || character === '\\' ? `\\${character}` : character;
	});

/** Tells whether the key was removed from a text. */
export function isKeyRemoved(text: string): boolean {
	return text.includes(removedKey);
}

/**
Refuses to send back a text from which the key was removed: the text would be lost on the service.

@throws SwitchboardError `refused`
*/
export function refuseRemovedKey(name: string, fields: unknown): void {
	if (isKeyRemoved(JSON.stringify(fields))) {
		throw new SwitchboardError(
			'refused',
			`${name} was not changed: the service has your API key in this record. Switchboard does not show it, and would save “${removedKey}” in its place.`,
			{nextStep: "Remove the key from the record in the service's dashboard, and get a new key."},
		);
	}
}
