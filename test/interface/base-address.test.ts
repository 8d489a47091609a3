import {assert, assertMapped, assertNone, test} from '../helpers/node.ts';
import {
	completeBaseAddress,
	isInsecureAddress,
	isLoopbackHost,
	isSameBaseAddress,
	normalizeBaseAddress,
	refuseInsecureAddress,
} from '../../source/interface/base-address.ts';
import {SwitchboardError} from '../../source/interface/errors.ts';

const normalForms: ReadonlyArray<readonly [address: string, normal: string]> = [
	['https://app.openhome.com', 'https://app.openhome.com'],
	['https://app.openhome.com/', 'https://app.openhome.com'],
	['HTTPS://App.OpenHome.COM:443/', 'https://app.openhome.com'],
	['http://127.0.0.1:8787', 'http://127.0.0.1:8787'],
	['http://localhost:80/', 'http://localhost'],
	['  https://home.example/voice/  ', 'https://home.example/voice'],
	['https://home.example/Voice//', 'https://home.example/Voice'],
	['http://[::1]:8787/', 'http://[::1]:8787'],
	['https://bücher.example', 'https://xn--bcher-kva.example'],
];

for (const [address, normal] of normalForms) {
	test(`“${address}” is ${normal}`, () => {
		assert.equal(normalizeBaseAddress(address), normal);
		assert.equal(normalizeBaseAddress(normal), normal);
	});
}

const equality: ReadonlyArray<readonly [first: string, second: string, isSame: boolean]> = [
	['https://a.example', 'HTTPS://A.example:443/', true],
	['http://a.example:80', 'http://a.example', true],
	['https://a.example/x', 'https://a.example/x/', true],
	['https://a.example', 'http://a.example', false],
	['https://a.example', 'https://a.example:8443', false],
	['https://a.example', 'https://b.example', false],
	['https://a.example/x', 'https://a.example/X', false],
	['https://a.example/x', 'https://a.example', false],
	['https://a.example', 'https://a.example.evil.example', false],
	['https://a.example', 'https://a.example@evil.example', false],
	['not an address', 'not an address', false],
];

for (const [first, second, isSame] of equality) {
	test(`a key stored for ${first} goes to ${second}: ${isSame ? 'yes' : 'no'}`, () => {
		assert.equal(isSameBaseAddress(first, second), isSame);
		assert.equal(isSameBaseAddress(second, first), isSame);
	});
}

/** Kind, message and next step on one line. */
function refusalOf(work: () => unknown): string {
	try {
		work();
		return 'taken';
	} catch (error) {
		return error instanceof SwitchboardError ? `${error.kind}: ${error.message} ${error.nextStep ?? ''}` : `foreign: ${String(error)}`;
	}
}

const refused: ReadonlyArray<readonly [address: string, words: RegExp]> = [
	['', /^usage: “” is not the address of a service\. Give an address such as/],
	['nonsense words', /^usage: .*Give an address such as/],
	['ftp://a.example', /^usage: “ftp:\/\/a\.example” is not/],
	['javascript:alert(1)', /^usage: /],
	['file:///etc/passwd', /^usage: /],
	['app.openhome.com', /Begin it with https:\/\/, as in https:\/\/app\.openhome\.com\.$/],
	['localhost:8787', /Begin it with http:\/\/, as in http:\/\/localhost:8787\.$/],
	['127.0.0.1:8787', /Begin it with http:\/\/, as in http:\/\/127\.0\.0\.1:8787\.$/],
	['https://me:secret@a.example', /^usage: The address of a service must not contain a user name or password\./],
	['https://me@a.example', /must not contain a user name or password/],
	['https://a.example/?x=1', /must not contain “\?” or “#”/],
	['https://a.example/#x', /must not contain “\?” or “#”/],
];

for (const [address, words] of refused) {
	test(`“${address}” is refused as the address of a service`, () =>
		assert.match(
			refusalOf(() => normalizeBaseAddress(address)),
			words,
		));
}

test('a password in an address is never repeated', () => {
	const verdicts = [
		'https://me:secret@a.example',
		'ftp://me:secret@a.example',
		'ftp://me:s@cret:secret@a b',
		'me:secret@a.example',
		'https://me:not/secret@a.example',
		`ftp://me:secret${'x'.repeat(200)}@a.example`,
	].map(address => refusalOf(() => normalizeBaseAddress(address)));
	assertNone(verdicts, verdict => !verdict.startsWith('usage') || verdict.includes('secret'));
});

test('a hostile address is cleaned for the terminal', () =>
	assert.match(
		refusalOf(() => normalizeBaseAddress('\u{1B}]0;owned\u{7}\u{202E}xyz')),
		/^usage: “xyz” is not/,
	));

test('only addresses of this machine count as loopback', () => {
	const names = ['localhost', 'a.localhost', '[::1]', '127.0.0.1', '127.255.0.3'];
	const strangers = ['localhost.example', 'notlocalhost', '127.0.0.1.example', '128.0.0.1', '0.0.0.0', '[::2]', '10.0.0.1', ''];
	assertNone(names, name => !isLoopbackHost(name));
	assertNone(strangers, name => isLoopbackHost(name));
});

test('plain http is insecure beyond this machine only', () => {
	assertMapped(['http://a.example', 'http://192.168.1.2:8787'], address => isInsecureAddress(address), [true, true]);
	assert.deepEqual(
		['https://a.example', 'http://127.0.0.1:1', 'http://localhost', 'http://[::1]'].map(address => isInsecureAddress(address)),
		[false, false, false, false],
	);
	// Written in another way, it is still 127.0.0.1.
	assert.equal(isInsecureAddress(normalizeBaseAddress('http://2130706433:8787')), false);
});

test('an insecure address is refused unless allowed for this run', () => {
	assert.match(
		refusalOf(() => refuseInsecureAddress('http://a.example', false)),
		/^insecure: .*--insecure-http\.$/,
	);
	assert.equal(
		refusalOf(() => refuseInsecureAddress('http://a.example', true)),
		'taken',
	);
	assert.equal(
		refusalOf(() => refuseInsecureAddress('http://localhost:8787', false)),
		'taken',
	);
});

const completed: ReadonlyArray<readonly [typed: string, address: string]> = [
	[' app.openhome.com ', 'https://app.openhome.com'],
	['Voice.example.com:8443/home', 'https://Voice.example.com:8443/home'],
	['bücher.example', 'https://bücher.example'],
	['a.xn--p1ai', 'https://a.xn--p1ai'],
	['192.0.2.1', 'https://192.0.2.1'],
	['nas:8787', 'https://nas:8787'],
	['[2001:db8::1]:8787', 'https://[2001:db8::1]:8787'],
	['localhost', 'http://localhost'],
	['LOCALHOST:3000', 'http://LOCALHOST:3000'],
	['home.localhost', 'http://home.localhost'],
	['127.0.0.1', 'http://127.0.0.1'],
	['127.0.0.1:8787/', 'http://127.0.0.1:8787/'],
	['[::1]', 'http://[::1]'],
	['[::1]:8787', 'http://[::1]:8787'],
	['localhost.example.com', 'https://localhost.example.com'],
	// With a scheme, even one that is refused later, an address stays.
	['http://voice.example.com', 'http://voice.example.com'],
	['ftp://voice.example.com', 'ftp://voice.example.com'],
	['me@voice.example.com', 'me@voice.example.com'],
	// Each of these may be a key: it must not be looked up as the name of a host.
	['oh_1234567890abcdef', 'oh_1234567890abcdef'],
	[
		'eyJhbGciOi.eyJzdWIiOiIx.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJVadQssw5c',
		'eyJhbGciOi.eyJzdWIiOiIx.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJVadQssw5c',
	],
	['', ''],
];

test('an address that was typed without its scheme gets one: http for this machine alone', () =>
	assertMapped(completed, ([typed]) => [typed, completeBaseAddress(typed)], completed));
