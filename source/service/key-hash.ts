import {hash, randomBytes, timingSafeEqual} from 'node:crypto';

/** A new key: 256 random bits, with a prefix that people and secret scanners recognize. */
export const generateKey = (): string => `sb_${randomBytes(32).toString('base64url')}`;

/**
The hash of a key, which is stored in its place. A slow, salted hash protects passwords that can be guessed; 256 random bits
cannot be guessed, so a plain SHA-256 reveals nothing, and an index can find it.
*/
export const hashKey = (key: string): Uint8Array => hash('sha256', key, 'buffer');

/** Compares in constant time. */
export const isSameHash = (first: Uint8Array, second: Uint8Array): boolean =>
	first.length === second.length && timingSafeEqual(first, second);
