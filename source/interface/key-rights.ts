import {cleanText} from './clean-text.ts';
import {endpoints, type Operation} from './endpoints.ts';
import {SwitchboardError, withoutFailing} from './errors.ts';

/*
The bundled service has restricted keys, and keys for a server that many people use. Client and service exchange these facts in headers,
which are not part of the interface.
*/

/** `read-only` changes nothing; `switch` reads, and switches installed abilities on and off. */
export const keyRights = ['all', 'read-only', 'switch'] as const;

export type KeyRights = (typeof keyRights)[number];

export type KeyLimits = {readonly name: string; readonly rights: Exclude<KeyRights, 'all'>};

/**
Tells whether a key may call an operation at all. A key that may only switch may change nothing else in a record
(`service/routes/installed.ts`).
*/
export function mayCall(rights: KeyRights, operation: Operation): boolean {
	return rights === 'all' || !endpoints[operation].isWrite || (rights === 'switch' && operation === 'editInstalled');
}

/** Returns the rights of a key in words: “only read”. */
export function rightsWords(rights: KeyRights): string {
	return {all: 'do everything', 'read-only': 'only read', switch: 'only list and switch'}[rights];
}

/** Returns the rights of a key as a sentence. */
export function describeLimits({name, rights}: KeyLimits): string {
	return `The key “${cleanText(name, 100)}” may ${rightsWords(rights)}.`;
}

/** Returns a time for display, to the minute. */
export function shownMinute(at: string): string {
	return `${at.slice(0, 16).replace('T', ' ')} UTC`;
}

/** Returns a sentence about a key that has ended. */
export function describeEnd(name: string, at: string): string {
	return `The key “${cleanText(name, 100)}” expired on ${shownMinute(at)}.`;
}

/** Returns the refusal of a request beyond a key's rights. */
export function beyondRights(
	limits: KeyLimits,
	{status, undone = 'Nothing was changed'}: {readonly status?: number; readonly undone?: string} = {},
) {
	return new SwitchboardError('forbidden', `${describeLimits(limits)} ${undone}.`, {
		nextStep: 'Use a key that may do more, or ask the administrator of the service for one.',
		status,
	});
}

export function formatKeyRights({name, rights}: KeyLimits): string {
	return formatPair(rights, 'name', name);
}

/** `encodeURIComponent` leaves no character that a header cannot hold, and no semicolon. */
const formatPair = (value: string, parameter: string, parameterValue: string): string =>
	`${encodeURIComponent(value)}; ${parameter}=${encodeURIComponent(parameterValue)}`;

/** @param header - from any service. */
export function parseKeyRights(header: unknown): KeyLimits | undefined {
	const [given, name = ''] = parsePair(header, 'name') ?? [];
	const rights = keyRights.find(each => each === given);
	return rights === undefined || rights === 'all' ? undefined : {name: cleanText(name, 100), rights};
}

/** @returns `undefined` for a header of another form, as it may come from anywhere. */
function parsePair(header: unknown, parameter: string): readonly [value: string, parameterValue: string] | undefined {
	const [value, pair, ...rest] = typeof header === 'string' && header.length <= 2000 ? header.split('; ') : [];
	const [name, parameterValue = ''] = pair?.split('=') ?? [];
	if (value === undefined || name !== parameter || rest.length > 0) {
		return undefined;
	}

	return withoutFailing(() => [decodeURIComponent(value), decodeURIComponent(parameterValue)]);
}

/** A person who uses a service through another program. */
export type Person = {readonly name: string; readonly address: string};

const maximumPersonLength = 60;

/** Returns the name of a person, from a text by anybody. */
export function toPersonName(text: string): string {
	return cleanText(text, maximumPersonLength);
}

export function formatPerson({name, address}: Person): string {
	return formatPair(toPersonName(name), 'address', address);
}

/** @returns `undefined` for a header without a name. */
export function parsePerson(header: unknown): Person | undefined {
	const [text = '', address = ''] = parsePair(header, 'address') ?? [];
	const name = toPersonName(text);
	return name === '' ? undefined : {name, address: cleanText(address, maximumPersonLength)};
}
