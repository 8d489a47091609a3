import {assert, test} from '../helpers/node.ts';
import {describeLimits, formatKeyRights, formatPerson, parseKeyRights, parsePerson} from '../../source/interface/key-rights.ts';

test('the rights and the name of a key survive a header', () => {
	for (const name of ['ci', 'Ünïcode; name=x', 'a=b%20']) {
		const header = formatKeyRights({name, rights: 'switch'});
		assert.match(header, /^[!-~]+; name=[!-~]+$/);
		assert.deepEqual(parseKeyRights(header), {name, rights: 'switch'});
	}

	assert.equal(describeLimits({name: 'ci', rights: 'switch'}), 'The key “ci” may only list and switch.');
	assert.equal(describeLimits({name: 'ci\u{1B}[31m', rights: 'read-only'}), 'The key “ci” may only read.');
});

test('a header of another form names no rights and no person', () => {
	const headers = [
		undefined,
		'',
		'all; name=x',
		'switch',
		'everything; name=x',
		'switch; name=%E0%A4%A',
		'switch; name=x; y=z',
		['switch; name=x'],
		`switch; name=${'x'.repeat(3000)}`,
	];
	assert.deepEqual(
		headers.map(header => parseKeyRights(header)),
		headers.map(() => undefined),
	);
	const people = [
		undefined,
		'',
		'anna',
		'; address=10.0.0.7',
		'%0A; address=x',
		'%E0%A4%A; address=x',
		'anna; address=%',
		`${'a'.repeat(3000)}; address=x`,
	];
	assert.deepEqual(
		people.map(header => parsePerson(header)),
		people.map(() => undefined),
	);
});

test('a person is a clean line of 60 characters at most, on both sides', () => {
	const cases: ReadonlyArray<readonly [comment: string, name: string]> = [
		['anna@laptop', 'anna@laptop'],
		['Zoë; address=1.2.3.4', 'Zoë; address=1.2.3.4'],
		['\u{1B}]0;title\u{7}anna\u{1B}[31m\u{202E}', 'anna'],
		['x'.repeat(10_000), `${'x'.repeat(59)}…`],
	];
	for (const [comment, name] of cases) {
		const header = formatPerson({name: comment, address: '::1'});
		assert.match(header, /^[!-~]+; address=%3A%3A1$/);
		assert.deepEqual(parsePerson(header), {name, address: '::1'});
	}

	assert.deepEqual(parsePerson('anna%0Aroot%1B[2J; address=%0A10.0.0.7'), {name: 'anna root', address: '10.0.0.7'});
});
