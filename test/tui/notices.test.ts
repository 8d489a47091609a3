import {assert, path, readFileSync, rmSync, test, writeFile, writeFileSync} from '../helpers/node.ts';
import type {RequestLogEntry} from '../../source/client/client.ts';
import {openDebugLog} from '../../source/tui/main.tsx';
import {temporaryFolder, temporaryFolders} from '../helpers/temporary-folder.ts';
import {openUserKeymap} from '../../source/tui/keys/key-overrides.ts';
import {SwitchboardError} from '../../source/interface/errors.ts';
import {decodeRecord} from '../../source/interface/records.ts';
import {createKeymap, keyName} from '../../source/words/keymap.ts';
import {sessionFailureText} from '../../source/tui/sessions.ts';
import {refreshHint} from '../../source/tui/screens/list/list-notice.tsx';

const request: RequestLogEntry = {
	method: 'GET',
	origin: 'https://voice.example.com',
	path: '/api/x/',
	status: 200,
	reason: undefined,
	attemptNumber: 1,
	startedAt: 0,
	durationMilliseconds: 5,
};

test('requests are logged to a file whose path is printed', () => {
	const log = openDebugLog({logFolder: temporaryFolder()});
	log.write(request);
	log.write({...request, status: undefined, reason: 'connection refused (ECONNREFUSED)'});
	const {file} = /^Request log: (?<file>\/.*\.log)$/.exec(log.afterword())!.groups!;
	assert.equal(
		readFileSync(file!, 'utf8'),
		[
			'1970-01-01T00:00:00.000Z GET https://voice.example.com/api/x/ 200 5 ms\n',
			'1970-01-01T00:00:00.000Z GET https://voice.example.com/api/x/ no answer 5 ms: connection refused (ECONNREFUSED)\n',
		].join(''),
	);
});

test('a log that cannot be created is reported, and the UI goes on', () => {
	const logFolder = path.join(temporaryFolder(), 'file');
	writeFileSync(logFolder, '');
	const log = openDebugLog({logFolder});
	log.write(request);
	assert.match(log.afterword(), /^There is no request log: E\w+/);
});

test('a log that can no longer be written is reported as incomplete', () => {
	const logFolder = temporaryFolder();
	const log = openDebugLog({logFolder});
	rmSync(logFolder, {recursive: true});
	log.write(request);
	assert.match(log.afterword(), /\.log \(incomplete: ENOENT/);
});

for (const [palette, source] of [
	['":"', 'the palette (:)'],
	['"f2"', 'the palette (F2)'],
	['null', '`switchboard help keys`'],
] as const) {
	test(`ignored key bindings are reported with where all actions are listed, with the palette on ${palette}`, async () => {
		const {configFolder} = temporaryFolders();
		const file = path.join(configFolder, 'config.json');
		await writeFile(file, `{"keys": {\n"palette": ${palette},\n"toglle": "t"}}`);
		assert.deepEqual(openUserKeymap({configFolder}).notices, [
			`Ignored key bindings in ${file}: line 3: unknown action “toglle”. M shows all of this; ${source} lists every action.`,
		]);
	});
}

test('the mouse is on if the settings say so, and anything but true and false is reported', async () => {
	const {configFolder} = temporaryFolders();
	const file = path.join(configFolder, 'config.json');
	const found = [];
	for (const text of [
		'{}',
		'{"mouse": true}',
		'{"mouse": false, "keys": {"refresh": "f5"}}',
		'{"mouse": true, "keys": {"refresh": "f5"}}',
		'{"mouse": "yes"}',
	]) {
		await writeFile(file, text);
		const {isMouseWanted, notices} = openUserKeymap({configFolder});
		found.push([isMouseWanted, ...notices]);
	}

	assert.deepEqual(found, [[false], [true], [false], [true], [false, `Ignored “mouse” in ${file}: it must be true or false.`]]);
});

const failure = {
	installed: decodeRecord('installed', {id: 1, name: 'lamps', enabled: true})!,
	isWantedEnabled: false,
	error: new SwitchboardError('timeout', 'No answer came in time.'),
	isOutcomeUnknown: false,
};

test('a failed change is reported with the key that retries', () => {
	assert.equal(sessionFailureText(failure, 'toggle', createKeymap()), 'lamps stays on: no answer came in time. Space retries.');
	assert.equal(
		sessionFailureText({...failure, isOutcomeUnknown: true}, 'toggle', createKeymap()),
		'It is not known whether lamps is off now: no answer came in time. r reads the list again.',
	);
	const unshown = {...failure, installed: decodeRecord('installed', {id: 1, name: 'lamps'})!};
	assert.equal(sessionFailureText(unshown, 'toggle', createKeymap()), 'lamps was not switched off: no answer came in time. R retries.');
	assert.equal(
		sessionFailureText({...unshown, isOutcomeUnknown: true}, 'toggle', createKeymap()),
		'It is not known whether lamps is off now: no answer came in time. R retries.',
	);
});

test('when the service says how long to wait, the time is given once, with the key', () => {
	for (const wait of ['90 s', 'a minute']) {
		const error = new SwitchboardError('rate-limited', 'Rate limit exceeded (HTTP 429).', {nextStep: `Try again in ${wait}.`});
		assert.equal(
			sessionFailureText({...failure, error}, 'toggle', createKeymap()),
			`lamps stays on: Rate limit exceeded (HTTP 429). Try again in ${wait} with Space.`,
		);
		assert.equal(refreshHint(error, createKeymap()), `Try again in ${wait} with r.`);
	}

	const passing = new SwitchboardError('server-error', 'The service failed (HTTP 500).', {nextStep: 'Try again in a moment.'});
	assert.equal(refreshHint(passing, createKeymap()), 'r tries again.');
	const wrong = new SwitchboardError('not-found', 'The service did not find this.', {nextStep: 'Check the address of the service.'});
	assert.equal(refreshHint(wrong, createKeymap()), 'r tries again. Check the address of the service.');
});

test('if the cursor may be on another row, the key is the one that retries failures', () => {
	for (const kind of ['many', 'undo', 'redo'] as const) {
		assert.equal(sessionFailureText(failure, kind, createKeymap()), 'lamps stays on: no answer came in time. R retries.');
	}
});

test('messages name the bound key, or the action if it has none', () => {
	const keymap = createKeymap({toggle: ['ctrl+t', 't'], refresh: []});
	assert.equal(sessionFailureText(failure, 'toggle', keymap), 'lamps stays on: no answer came in time. Ctrl+T retries.');
	assert.match(sessionFailureText({...failure, isOutcomeUnknown: true}, 'toggle', keymap), / :refresh reads the list again\.$/);
	assert.equal(keyName(keymap, 'clear'), 'Esc');
});
