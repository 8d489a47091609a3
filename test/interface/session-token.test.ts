import {Buffer} from 'node:buffer';
import {assert, test} from '../helpers/node.ts';
import {isSessionToken, sessionTokenEnd} from '../../source/interface/session-token.ts';

test('a session token is told from a key by its header', () => {
	const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
	for (const [text, isToken] of [
		[`${part({alg: 'HS256'})}.${part({exp: 1})}.c2ln`, true],
		[`${part({alg: 'none'})}.${part({})}.`, true],
		[`${part([1])}.${part({})}.c2ln`, false],
		[`${part({alg: 'HS256'})}.${part({})}`, false],
		['oh.12.34', false],
		['oh_12', false],
	] as const) {
		assert.equal(isSessionToken(text), isToken, text);
	}
});

test('a session token may say when it ends', () => {
	const withClaims = (claims: string): string => `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(claims).toString('base64url')}.c2ln`;
	for (const [text, end] of [
		[withClaims('{"exp":1700000000}'), 1_700_000_000_000],
		[withClaims('{"exp":"1700000000"}'), undefined],
		[withClaims('{"exp":1e300}'), undefined],
		[withClaims('{}'), undefined],
		[withClaims('[1'), undefined],
		['no-token', undefined],
	] as const) {
		assert.equal(sessionTokenEnd(text), end, text);
	}
});
