import {assert, path, readFileSync, rmSync, test, writeFileSync} from '../helpers/node.ts';
import type {RequestLogEntry} from '../../source/client/client.ts';
import {openDebugLog} from '../../source/tui/main.tsx';
import {temporaryFolder} from '../helpers/temporary-folder.ts';

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
