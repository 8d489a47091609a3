import {Buffer} from 'node:buffer';

/*
What certificates are written in: values behind a tag and a length (ITU-T X.690, the distinguished encoding rules).
*/

/** A value: its content may be other values. */
export function value(tag: number, ...contents: readonly Uint8Array[]): Buffer {
	const content = Buffer.concat(contents);
	const length = bytesOf(content.length);
	const isShort = content.length < 0x80;
	return Buffer.concat([Uint8Array.of(tag, ...(isShort ? [] : [0x80 + length.length])), length, content]);
}

/** The bytes of a number, the highest first, as few as hold it. */
function bytesOf(number: number): Buffer {
	const digits = number.toString(16);
	return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
}

export function sequence(...contents: readonly Uint8Array[]): Buffer {
	return value(0x30, ...contents);
}

export function set(...contents: readonly Uint8Array[]): Buffer {
	return value(0x31, ...contents);
}

export function octets(content: Uint8Array): Buffer {
	return value(0x04, content);
}

/** Bits that fill whole octets, unless some of the last are unused. */
export function bits(content: Uint8Array, unusedCount = 0): Buffer {
	return value(0x03, Uint8Array.of(unusedCount), content);
}

/** A number from 0 to 127. */
export function integer(number: number): Buffer {
	return value(0x02, bytesOf(number));
}

export const yes = value(0x01, Uint8Array.of(0xff));

export function utf8(text: string): Buffer {
	return value(0x0c, Buffer.from(text));
}

/** A time until the year 2049, to the second. */
export function time(date: Date): Buffer {
	return value(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replaceAll(/[-:T]/g, '')}Z`));
}

/** An object identifier whose encoding is known. */
export function identifier(hex: string): Buffer {
	return value(0x06, Buffer.from(hex, 'hex'));
}
