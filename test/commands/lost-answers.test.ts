import {assert, path, suite, test, type TestContext, writeFileSync} from '../helpers/node.ts';
import {htmlAnswer} from '../helpers/answers.ts';
import type {LiveLikeService} from '../helpers/live-like-service.ts';
import type {Failure} from '../helpers/trouble.ts';
import {spokenFiles} from './source-folders.ts';
import {isChange} from './state-file.ts';
import {toldEntry} from './told-history.ts';
import {codeFiles, createIsolatedHome, lastError, parseJson, runCommand, startLiveLikeService, writeFolder} from './kit.ts';

/*
The answer to a change is lost: whether the service did it is looked up. Each test has a service to itself; all share a home, so that
their commands run beside each other.
*/

const home = createIsolatedHome();
writeFolder(path.join(home.folder, 'lamps'), codeFiles('new'));
// Apart from the one that is uploaded, which is then tied to the ability of another service.
writeFolder(path.join(home.folder, 'pushed/lamps'), codeFiles('new'));
writeFileSync(path.join(home.folder, 'home.yaml'), 'version: 1\ninstalled: {lamps: off}\n');

const apiKey = 'lost-answers-key-0123456789';

const env = {...home.env, SWITCHBOARD_API_KEY: apiKey};

let startCount = 0;

async function start(t: TestContext) {
	// Once created, the ability of a folder is known by it: each service gets another one.
	const cellar = `${startCount++}/cellar`;
	writeFolder(path.join(home.folder, cellar), spokenFiles('new'));
	const service = await startLiveLikeService({apiKey, deletion: 'documented', history: [toldEntry(1, {name: 'nightwatch', record: 303})]});
	t.after(async () => service.close());
	const run = async (line: string) =>
		runCommand([...line.replace(/(?<= push )cellar/, cellar).split(' '), '--base-url', service.baseAddress], {env, cwd: home.folder});
	return {service, run};
}

type Loose = Readonly<Record<string, unknown>>;

const find = (records: readonly unknown[], name: string): Loose | undefined =>
	(records as readonly Loose[]).find(record => record['name'] === name);

const stateOf = (name: string) => (service: LiveLikeService) => find(service.installed, name)?.['enabled'];

/** A write is sent once more after its line was cut. */
const cutTwice: Failure = {cut: 'connection', times: 2, when: isChange};

const carriedOut: Failure = {...cutTwice, isCarriedOut: true};

type Row = {
	readonly words: string;
	/** How it answers where the list shows the change. */
	readonly done: string;
	/** How it answers where there is no list, once for each way in which commands print that. */
	readonly blind?: string;
	/** What it says on standard error where it is done. */
	readonly told?: RegExp;
	/** The sentences where the list does not show the change, and where there is no list; and the next step. */
	readonly late: string;
	readonly unknown: string;
	readonly nextStep: string;
	readonly record: (service: LiveLikeService) => unknown;
	readonly from: unknown;
	readonly to: unknown;
	/** How often it is sent: uploads only once. */
	readonly sentCount?: 1;
	readonly prepare?: (run: (line: string) => Promise<unknown>, service: LiveLikeService) => Promise<void>;
};

const says = (late: string, unknown: string, nextStep: string, what = 'the change') => ({
	late: `${late}: ${what} was sent and may still arrive.`,
	unknown: `It is not known whether ${unknown}: ${what} was sent and may still arrive.`,
	nextStep: nextStep.startsWith('switchboard') ? `Check with: ${nextStep}` : nextStep,
});

function switchRow(command: string, name: string, id: number, to: boolean, nextStep = 'switchboard installed'): Row {
	const word = to ? 'on' : 'off';
	return {
		words: `${command} ${name}`,
		done: `${id}\t${word}\t${name}\tchanged\n`,
		...(command === 'disable' && {blind: `${id}\t?\t${name}\tnot known\n`}),
		...says(`${name} is not ${word} yet`, `${name} is ${word} now`, nextStep),
		record: stateOf(name),
		from: !to,
		to,
	};
}

/** A command that makes changes as apply does: here one, of a switch. */
function planRow(words: string, name: string, to: boolean): Row {
	const line = `~ ${name}: ${to ? 'off → on' : 'on → off'}\n`;
	return {
		words,
		done: `done\t${line}`,
		...(words.startsWith('apply') && {blind: `not known\t${line}`}),
		...says(`${name} has not changed yet`, `${name} has changed`, 'switchboard installed'),
		told: /^1 done, 0 unchanged\.\n$/,
		record: stateOf(name),
		from: !to,
		to,
	};
}

const agentRow = (words: string, done: string, field: string, from: string, to: string): Row => ({
	words,
	done,
	...(field === 'name' && {blind: ''}),
	told: field === 'name' ? /^$/ : /^The earlier prompt is kept\. To bring it back: switchboard agents restore Hearth /,
	...says('Hearth has not changed yet', 'Hearth was changed', 'switchboard agents'),
	record: ({agents}) => (agents[0] as Loose)[field],
	from,
	to,
});

const uploadRow = (words: string, name: string, done: string, blind: string): Row => ({
	words,
	done,
	blind,
	late: `${name} may still have been uploaded. It is not in the list yet: it was sent and may still arrive.`,
	unknown: `${name} may still have been uploaded.`,
	nextStep: 'Look for it in the list of abilities before you upload it again.',
	record: ({abilities}) => abilities.filter(ability => (ability as Loose)['name'] === name).length,
	from: name === 'lamps' ? 1 : 0,
	to: name === 'lamps' ? 2 : 1,
	sentCount: 1,
});

const rows: readonly Row[] = [
	switchRow('enable', 'nightwatch', 303, true),
	switchRow('disable', 'lamps', 301, false),
	switchRow('toggle', 'lamps', 301, false, 'Check with “switchboard installed”, then use “switchboard enable” or “switchboard disable”.'),
	{
		words: 'install desk',
		done: '24\tdesk\tinstalled\n',
		...says('desk is not installed yet', 'desk is installed', 'switchboard installed'),
		record: ({installed}) => find(installed, 'desk') !== undefined,
		from: false,
		to: true,
	},
	{
		words: 'uninstall lamps --yes',
		done: '301\tlamps\tuninstalled\n',
		...says('lamps is not uninstalled yet', 'lamps is uninstalled', 'switchboard installed'),
		record: ({installed}) => find(installed, 'lamps') !== undefined,
		from: true,
		to: false,
	},
	{
		words: 'installed edit lamps --triggers lantern',
		done: '301\tlamps\tlantern\tchanged\n',
		...says('lamps has not changed yet', 'lamps was changed', 'switchboard installed'),
		record: ({installed}) => find(installed, 'lamps')?.['trigger_words'],
		from: ['lamps please', 'it is dark'],
		to: ['lantern'],
	},
	{
		words: 'abilities delete lamps --yes',
		done: '21\tlamps\tdeleted\n',
		blind: '21\tlamps\tnot known\n',
		...says('lamps is not deleted yet', 'lamps is deleted', 'switchboard abilities'),
		record: ({abilities}) => find(abilities, 'lamps') !== undefined,
		from: true,
		to: false,
	},
	// The older ability of that name is not mistaken for the new one.
	uploadRow('abilities upload lamps --triggers lantern', 'lamps', '25\tlamps\t\n', ''),
	uploadRow('abilities push cellar', 'cellar', '25\tcellar\tcreated\t1.0.0\n', '\tcellar\tnot known\t\n'),
	{
		words: 'abilities push pushed/lamps',
		done: '21\tlamps\tupdated\t1.0.1\n',
		blind: '21\tlamps\tnot known\t\n',
		...says('lamps does not have the new code yet', 'lamps has the new code', 'switchboard abilities diff lamps FOLDER', 'it'),
		record: ({sources}) => String(sources.get(21)?.find(file => file.path === 'main.py')?.bytes),
		from: 'print(21)\n',
		to: 'new',
		sentCount: 1,
	},
	agentRow('agents edit hearth --name Hob', '1\tHob\t\tYou look after a house.\n', 'name', 'Hearth', 'Hob'),
	agentRow('agents edit Hearth --prompt brief', '1\tHearth\t\tbrief\n', 'description', 'You look after a house.', 'brief'),
	{
		...agentRow('agents restore Hearth', '1\tHearth\t\tYou look after a house.\n', 'description', 'brief', 'You look after a house.'),
		async prepare(run) {
			await run('agents edit Hearth --prompt brief');
		},
	},
	planRow('apply home.yaml --yes', 'lamps', false),
	{
		...planRow('presets apply day --yes', 'lamps', true),
		told: /^1 done, 2 unchanged\.\nTo go back: /,
		async prepare(run, {installed}) {
			await run('presets save day');
			(installed[0] as {enabled: boolean}).enabled = false;
		},
	},
	planRow('history revert 1 --yes', 'nightwatch', true),
];

/** What says of the only item that nobody knows whether it was done: `changed`, `deleted`, `done` or `action`. */
function isUnknown(stdout: string): boolean {
	const value = parseJson(stdout) as readonly Loose[] | {readonly changes: readonly Loose[]};
	const [item] = 'changes' in value ? value.changes : value;
	return ['changed', 'deleted', 'done', 'action'].some(name => item![name] === null);
}

suite('a change whose answer is lost', {concurrency: 12}, () => {
	for (const {words, done, late, unknown, nextStep, blind, told = /^$/, record, from, to, sentCount = 2, prepare} of rows) {
		const startRow = async (t: TestContext, failure: Failure) => {
			const started = await start(t);
			await prepare?.(started.run, started.service);
			assert.deepEqual(record(started.service), from);
			const before = started.service.requests.length;
			started.service.failNext(failure);
			return {...started, sent: () => started.service.requests.slice(before).filter(request => isChange(request)).length};
		};

		test(`${words}: is done where the service shows it`, async (t: TestContext) => {
			const {run, service, sent} = await startRow(t, carriedOut);
			const {exitCode, stdout, stderr} = await run(words);
			assert.deepEqual([exitCode, stdout, record(service), sent()], [0, done, to, sentCount]);
			assert.match(stderr, told);
		});

		test(`${words}: is not known where the service does not show it yet`, async (t: TestContext) => {
			const {run, service, sent} = await startRow(t, cutTwice);
			const result = await run(`${words} --json`);
			const message = `${service.baseAddress} could not be reached: connection lost. ${late} ${nextStep}`;
			assert.deepEqual([result.exitCode, lastError(result), record(service)], [5, {kind: 'unreachable', message}, from]);
			assert.ok(result.stdout === '' ? /^(?:agents|abilities upload) /.test(words) : isUnknown(result.stdout), result.stdout);
			assert.equal(sent(), sentCount);
		});

		if (blind === undefined) {
			continue;
		}

		test(`${words}: is not known where the list cannot be read`, async (t: TestContext) => {
			const {run, service, sent} = await startRow(t, carriedOut);
			service.failNext({status: 500, times: 99, when: request => sent() > 0 && !isChange(request)});
			const {exitCode, stdout, stderr} = await run(words);
			assert.deepEqual([exitCode, stdout, record(service)], [5, blind, to]);
			assert.ok(stderr.endsWith(`connection lost. ${unknown}\n${nextStep}\n`), stderr);
		});
	}

	for (const [how, failure] of [
		['the head of an answer', {cut: 'headers'}],
		['half an answer', {body: '{"id": 301}', cut: 'body'}],
		['a web page', htmlAnswer('<h1>Sign in</h1>')],
		['an answer of a gateway, twice', {status: 502, times: 2}],
	] as const) {
		test(`disable and abilities push: are looked up after ${how}`, async (t: TestContext) => {
			const {run, service} = await start(t);
			service.failNext({...failure, isCarriedOut: true, when: isChange});
			const {exitCode} = await run('disable lamps');
			assert.deepEqual([exitCode, stateOf('lamps')(service), service.requests.at(-1)?.method], [0, false, 'GET']);
			service.failNext({...failure, times: 1, isCarriedOut: true, when: isChange});
			assert.equal((await run('abilities push lamps')).stdout, '21\tlamps\tupdated\t1.0.1\n');
		});
	}
});
