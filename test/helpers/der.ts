import {Buffer} from 'node:buffer';

/*
What certificates are written in: values behind a tag and a length (ITU-T X.690, the distinguished encoding rules).
*/

/** The bytes of a number, the highest first, as few as hold it. */
const bytesOf = (number: number): Buffer => {
	const digits = number.toString(16);
	return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
};

/** A value: its content may be other values. */
export const value = (tag: number, ...contents: readonly Uint8Array[]): Buffer => {
	const content = Buffer.concat(contents);
	const length = bytesOf(content.length);
	const isShort = content.length < 0x80;
	return Buffer.concat([Uint8Array.of(tag, ...(isShort ? [] : [0x80 + length.length])), length, content]);
};

export const sequence = (...contents: readonly Uint8Array[]): Buffer => value(0x30, ...contents);

export const set = (...contents: readonly Uint8Array[]): Buffer => value(0x31, ...contents);

export const octets = (content: Uint8Array): Buffer => value(0x04, content);

/** Bits that fill whole octets, unless some of the last are unused. */
export const bits = (content: Uint8Array, unusedCount = 0): Buffer => value(0x03, Uint8Array.of(unusedCount), content);

/** A number from 0 to 127. */
export const integer = (number: number): Buffer => value(0x02, bytesOf(number));

export const yes = value(0x01, Uint8Array.of(0xff));

export const utf8 = (text: string): Buffer => value(0x0c, Buffer.from(text));

/** A time until the year 2049, to the second. */
export const time = (date: Date): Buffer => value(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replaceAll(/[-:T]/g, '')}Z`));

/** An object identifier whose encoding is known. */
export const identifier = (hex: string): Buffer => value(0x06, Buffer.from(hex, 'hex'));
