import {assert, test, type TestContext} from '../helpers/node.ts';
import {createRun, ended, json, jsonError} from './outcomes.ts';
import {lastError, type RequestFilter, startDocumentedService, startLiveLike} from './kit.ts';

const isInstallation: RequestFilter = ({path}) => path.includes('/install-capability/');

const isRemoval: RequestFilter = ({path}) => path.includes('/uninstall-capability/');

const names = ['attic', 'cellar', 'porch', 'stove', 'garden', 'garage', 'roof'];

/** The small home, in which `desk` (24) alone is not installed, and seven abilities more that are not. */
async function start(t: TestContext) {
	const place = await startLiveLike(t);
	place.service.abilities.push(...names.map((name, index) => ({id: 31 + index, name, category: 'skill'})));
	return {
		...place,
		/** The ids in the paths of the requests that fit, in order. */
		idsOf: (isWanted: RequestFilter) =>
			place.service.requests.filter(request => isWanted(request)).map(({path}) => Number(/\d+/.exec(path)![0])),
		installedNames: () => place.service.installed.map(record => (record as {readonly name: string}).name),
	};
}

test('install and uninstall work with a service that ties records by name', async (t: TestContext) => {
	const {run, installedNames, idsOf} = await start(t);
	assert.deepEqual(
		await run(['install', 'Desk', '32', 'lamps']),
		ended(0, '24\tdesk\tinstalled\n32\tcellar\tinstalled\n21\tlamps\tunchanged\n'),
	);
	assert.deepEqual(
		[idsOf(isInstallation), installedNames()],
		[
			[24, 32],
			['lamps', 'pantry', 'nightwatch', 'desk', 'cellar'],
		],
	);
	assert.deepEqual(
		await run(['install', 'cellar', 'desk', '--json']),
		ended(
			0,
			json([
				{capability_id: 32, name: 'cellar', installed: true, changed: false},
				{capability_id: 24, name: 'desk', installed: true, changed: false},
			]),
		),
	);
	assert.deepEqual(await run(['uninstall', 'cellar', '301', '--yes']), ended(0, '305\tcellar\tuninstalled\n301\tlamps\tuninstalled\n'));
	assert.deepEqual(installedNames(), ['pantry', 'nightwatch', 'desk']);
});

test('a service without the paths says so, and what to do', async (t: TestContext) => {
	const service = await startDocumentedService();
	t.after(async () => service.close());
	const {run} = await createRun(service);
	const sentence = (verb: string, name: string): string => `The service lists ${name} but cannot ${verb} it (HTTP 404).`;
	assert.deepEqual(
		await run(['install', '11']),
		ended(4, '11\t#11\tfailed\n', `${sentence('install', '#11')}\nUse the dashboard instead.\n`),
	);
	const error = {kind: 'not-found', message: `${sentence('uninstall', '#101')} Use the dashboard instead.`};
	assert.deepEqual(
		await run(['uninstall', '101', '--yes', '--json']),
		ended(4, json([{installed_cap_id: 101, name: '#101', installed: true, changed: false, error}]), jsonError(error.kind, error.message)),
	);
	assert.deepEqual(
		await run(['install', '11', '12']),
		ended(
			6,
			'11\t#11\tfailed\n12\t#12\tfailed\n',
			[`#11: ${sentence('install', '#11')}`, `#12: ${sentence('install', '#12')}`, '2 of 2 failed.', 'Use the dashboard instead.', ''].join(
				'\n',
			),
		),
	);
	assert.equal(service.installed.length, 3);
});

test('if one fails, it carries its error and the others are done', async (t: TestContext) => {
	const {run, service, installedNames} = await start(t);
	service.failNext({status: 500, when: ({path}) => path.endsWith('/31/')});
	const result = await run(['install', 'attic', 'cellar', 'lamps', '--json']);
	assert.equal(
		result.stdout,
		json([
			{
				capability_id: 31,
				name: 'attic',
				installed: false,
				changed: false,
				error: {kind: 'server-error', message: 'The service failed (HTTP 500). Try again in a moment.'},
			},
			{capability_id: 32, name: 'cellar', installed: true, changed: true},
			{capability_id: 21, name: 'lamps', installed: true, changed: false},
		]),
	);
	assert.deepEqual([result.exitCode, lastError(result).kind, installedNames().at(-1)], [6, 'some-failed', 'cellar']);
	service.failNext({status: 500, when: isRemoval});
	assert.deepEqual(
		await run(['uninstall', 'cellar', '--yes']),
		ended(5, '304\tcellar\tfailed\n', 'The service failed (HTTP 500).\nTry again in a moment.\n'),
	);
});

test('an ability that somebody else uninstalls meanwhile counts as uninstalled', async (t: TestContext) => {
	const {run, service} = await start(t);
	service.failNext({status: 404, isCarriedOut: true, when: isRemoval});
	assert.deepEqual(await run(['uninstall', 'lamps', '--yes']), ended(0, '301\tlamps\tuninstalled\n'));
});
