import {after, assert, before, process, test, type TestContext} from '../../helpers/node.ts';
import type {Worker} from 'node:worker_threads';
import {seenRecords} from '../../../source/tui/hooks/list-cache.ts';
import {isFresh, openApp, type RenderedApp, wide} from '../helpers/kit.ts';

/** The threads of this process, the newest last. */
const threads: Worker[] = [];
process.on('worker', thread => {
	threads.push(thread);
});

const texts = (app: RenderedApp): readonly string[] => app.state().messages.history.map(({text}) => text);

const restarted = /^The bundled service stopped unexpectedly: .+ It was started again\.$/;

const restartCount = (app: RenderedApp): number => texts(app).filter(text => restarted.test(text)).length;

const kill = async (): Promise<void> => {
	await threads.at(-1)!.terminate();
};

const isEnabled = (app: RenderedApp, id: number): boolean | undefined =>
	seenRecords(app.session(), 'installed')?.find(record => record.id === id)?.isEnabled;

before(() => {
	process.env['OPENHOME_API_KEY'] = 'a-key-of-the-environment';
});

after(() => {
	delete process.env['OPENHOME_API_KEY'];
});

test('a bundled service that dies is started again, Messages says so, and the session goes on', async (t: TestContext) => {
	const app = await openApp(t, {size: wide});
	await kill();
	await app.until(() => restartCount(app) === 1);
	await app.shows(isFresh);
	await app.press('space').until(() => app.session().toggles.getIntents().size === 0);
	assert.equal(app.session().switching.getFailures().size, 0, texts(app).join('\n'));
	await app.press('u').until(() => app.session().toggles.getIntents().size === 0);
	assert.equal(app.session().switching.getFailures().size, 0, texts(app).join('\n'));
});

test('a change that is under way when it dies ends as the service has it, or is reported', async (t: TestContext) => {
	const app = await openApp(t, {size: wide});
	app.press('space');
	const {installed, isWantedEnabled} = [...app.session().toggles.getIntents().values()][0]!;
	await kill();
	await app.until(() => restartCount(app) === 1 && app.session().toggles.getIntents().size === 0);
	await app.session().readAgain('installed');
	await app.until(() => {
		const failure = app.session().switching.getFailures().get(installed.id);
		return failure?.isOutcomeUnknown !== true && (failure !== undefined) === (isEnabled(app, installed.id) !== isWantedEnabled);
	});
});

test('one that dies three times within a minute stays down with the reason, and the refresh key starts it again', async (t: TestContext) => {
	const app = await openApp(t, {size: wide});
	for (const count of [1, 2]) {
		await kill();
		await app.until(() => restartCount(app) === count);
	}

	await kill();
	await app.until(() =>
		texts(app).some(text => text.includes('It stopped 3 times within a minute and is not started again. r starts it again.')),
	);
	await app.shows('! unreachable, as of');
	const count = threads.length;
	await app.press('r').until(() => threads.length === count + 1);
	await app.session().readAgain('installed');
	await app.shows(isFresh);
	assert.equal(restartCount(app), 2);
	await kill();
	await app.until(() => restartCount(app) === 3);
});

test('what the dying service says is shown without the keys that it may hold', async (t: TestContext) => {
	const app = await openApp(t, {size: wide});
	const thread = threads.at(-1)!;
	thread.emit('error', new Error('bad header: a-key-of-the-environment'));
	await thread.terminate();
	await app.until(() => restartCount(app) === 1);
	assert.ok(
		texts(app).some(text => text.includes('bad header: [key].')),
		texts(app).join('\n'),
	);
	assert.ok(texts(app).every(text => !text.includes('a-key-of-the-environment')));
});
