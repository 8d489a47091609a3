import {assert, Buffer, execFileSync, test} from '../helpers/node.ts';
import fc from 'fast-check';
import {parseAuthorizedKeys} from '../../source/ssh/authorized-keys.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';
import {makeKey} from './ssh-client.ts';

const folder = temporaryFolder();
const {line, file} = makeKey(folder, 'ada');
const [type = '', data = ''] = line.split(' ', 2);
const publicKey = `${type} ${data}`;

function problemsOf(text: string): readonly string[] {
	const {keys, problems} = parseAuthorizedKeys(text);
	assert.deepEqual(keys, []);
	return problems;
}

test('a key with a comment is let in with the profile “default”', () => {
	const {keys, problems} = parseAuthorizedKeys(`# the team\n\n  \t\n ${publicKey}   Ada  of the team \r\n`);
	assert.deepEqual(problems, []);
	assert.deepEqual(
		keys.map(({profileName, isReadOnly, comment}) => ({profileName, isReadOnly, comment})),
		[{profileName: 'default', isReadOnly: false, comment: 'Ada of the team'}],
	);
	assert.equal(keys[0]!.key.fingerprint, execFileSync('ssh-keygen', ['-l', '-f', file], {encoding: 'utf8'}).split(' ', 2)[1]);
});

test('options say which profile a key gets, and what it may do', () => {
	const {keys, problems} = parseAuthorizedKeys(
		[
			`profile="work",read-only ${publicKey}`,
			`READ-ONLY,timezone="Europe/Berlin" ${publicKey}`,
			`from="10.0.0.0/8,!10.9.*",profile="a.b@c"\t${publicKey} with a tab`,
		].join('\n'),
	);
	assert.deepEqual(problems, []);
	assert.deepEqual(
		keys.map(({profileName, isReadOnly, isAllowedFrom, timeZone}) => [
			profileName,
			isReadOnly,
			timeZone,
			isAllowedFrom?.('10.1.2.3'),
			isAllowedFrom?.('10.9.2.3'),
			isAllowedFrom?.('11.1.2.3'),
		]),
		[
			['work', true, undefined, undefined, undefined, undefined],
			['default', true, 'Europe/Berlin', undefined, undefined, undefined],
			['a.b@c', false, undefined, true, false, false],
		],
	);
});

test('a line with a mistake lets nobody in, and its number is told', () => {
	const mistakes: ReadonlyArray<readonly [line: string, message: RegExp]> = [
		[`command="sh" ${publicKey}`, /“command” has no meaning here/],
		[`restrict ${publicKey}`, /“restrict” has no meaning here/],
		[`cert-authority ${publicKey}`, /“cert-authority” has no meaning here/],
		[`read-only,no-pty ${publicKey}`, /“no-pty” has no meaning here/],
		[`readonly ${publicKey}`, /“readonly” has no meaning here/],
		[`read-only="yes" ${publicKey}`, /“read-only” takes no value/],
		[`profile ${publicKey}`, /“profile” needs a value/],
		[`profile="" ${publicKey}`, /profile “” must begin with/],
		[
			`profile="local" ${publicKey}`,
			/“local” cannot be used over SSH\. Run “switchboard serve”, .*“switchboard login .* --profile home”, then write profile="home" here\.$/,
		],
		[`read-only,profile="LOCAL" ${publicKey}`, /“local” cannot be used over SSH/],
		[`timezone ${publicKey}`, /“timezone” needs a value/],
		[`timezone="Europe/Atlantis" ${publicKey}`, /the time zone “Europe\/Atlantis” is not known/],
		[`profile="a",profile="b" ${publicKey}`, /“profile” occurs twice/],
		[`profile=work ${publicKey}`, /cannot be read/],
		[`profile="work"read-only ${publicKey}`, /cannot be read/],
		[`profile="work", ${publicKey}`, /cannot be read/],
		[`,read-only ${publicKey}`, /cannot be read/],
		[`profile="work ${publicKey}`, /not closed/],
		[String.raw`profile="work\" ${publicKey}`, /not closed/],
		[`from="" ${publicKey}`, /“from” has a pattern that is not valid/],
		[`from="10.0.0.0/33" ${publicKey}`, /“from” has a network that is not valid/],
		[`from="127.0.0.1/8" ${publicKey}`, /“from” has the network “127\.0\.0\.1\/8”, whose address has bits behind the first 8/],
		[`from="10.0.0.1,!bad.example.org" ${publicKey}`, /names of hosts are not looked up/],
		['read-only', /there is no key/],
		[type, /the key is not valid|there is no key/],
		[`${type} ${data.slice(0, -4)}`, /the key/],
		[`${type} ${data}AAAA`, /the key/],
		[`ecdsa-sha2-nistp256 ${data}`, /not of the type/],
		['ssh-dss AAAAB3NzaC1kc3M=', /“ssh-dss” is not accepted/],
		['sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29t', /“sk-ssh-ed25519@openssh.com” is not accepted/],
		[`ssh-ed25519-cert-v01@openssh.com ${data}`, /is not accepted/],
		[`${publicKey} \u{1B}]0;title`, /control characters/],
		[makeKey(folder, 'short', '-t', 'rsa', '-b', '1024').line, /1024 bits/],
	];
	for (const [text, message] of mistakes) {
		const [problem = '', ...others] = problemsOf(`# first\n${text}`);
		assert.deepEqual(others, []);
		assert.match(problem, /^line 2 lets nobody in: /, text);
		assert.match(problem, message, text);
	}
});

test('one wrong line takes nothing from the others', () => {
	const {keys, problems} = parseAuthorizedKeys(`restrict ${publicKey}\n${publicKey}`);
	assert.equal(keys.length, 1);
	assert.equal(problems.length, 1);
});

test('nothing in a file makes reading it fail, and what is told of it is one line each', () =>
	fc.assert(
		fc.property(fc.uint8Array({maxLength: 200}), fc.constantFrom('', ` ${publicKey}`), (bytes, rest) => {
			const {problems} = parseAuthorizedKeys(Buffer.from(bytes).toString() + rest);
			assert.ok(problems.every(problem => /^line \d+ lets nobody in: \P{Control}+\.$/u.test(problem)));
		}),
	));

test('a key behind anything but the four options is never let in', () => {
	const known = /^(?:profile="[^"]*"|from="[^"]*"|read-only)(?:,(?:profile="[^"]*"|from="[^"]*"|read-only))*$/i;
	const pieces = fc.constantFrom(
		'profile',
		'from',
		'read-only',
		'command',
		'restrict',
		'no-pty',
		'=',
		'"',
		'"10.*"',
		'"work"',
		',',
		'\\',
		String.raw`\"`,
		'x',
		'=""',
	);
	fc.assert(
		fc.property(fc.array(pieces, {minLength: 1, maxLength: 8}), parts => {
			const options = parts.join('');
			assert.ok(parseAuthorizedKeys(`${options} ${publicKey}`).keys.length === 0 || known.test(options), options);
		}),
		{numRuns: 2000},
	);
});

test('a damaged key is never let in as another one', () => {
	const whole = Buffer.from(data, 'base64');
	fc.assert(
		fc.property(fc.nat(whole.length - 1), fc.integer({min: 1, max: 255}), (index, change) => {
			const damaged = Buffer.from(whole);
			// eslint-disable-next-line no-bitwise -- Other bits.
			damaged[index]! ^= change;
			for (const {key} of parseAuthorizedKeys(`${type} ${damaged.toString('base64')}`).keys) {
				assert.deepEqual(key.blob, damaged);
				assert.ok(index >= whole.length - 32);
			}
		}),
	);
});
