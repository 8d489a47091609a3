import {createHash, randomBytes, timingSafeEqual} from 'node:crypto';

/** A new key: 256 random bits, with a prefix by which people and secret scanners recognise it. */
export const generateKey = (): string => `sb_${randomBytes(32).toString('base64url')}`;

/**
What is stored of a key. A slow, salted hash guards passwords that can be guessed; 256 random bits cannot be, so a plain
SHA-256 gives nothing away, and it can be looked up.
*/
export const hashKey = (key: string): Uint8Array => createHash('sha256').update(key, 'utf8').digest();

/** Compares in a time that does not depend on where the two differ. */
export const isSameHash = (first: Uint8Array, second: Uint8Array): boolean =>
	first.length === second.length && timingSafeEqual(first, second);
