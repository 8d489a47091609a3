import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {after, test} from 'node:test';
import {openPseudoTerminal} from '../helpers/pseudo-terminal.ts';
import {programFile} from '../helpers/run-command.ts';
import {
	ended,
	json,
	jsonError,
	notFound,
	writeCellar,
} from './outcomes.ts';
import {lastError, shareServedHome} from './served-home.ts';

/*
Installing, editing phrases, choosing and dry runs against `switchboard serve --sample`: one service for all tests, each of
which works on records of its own.
*/

const served = await shareServedHome({after});
writeCellar(served.home.folder);

type Loose = Readonly<Record<string, unknown>>;

const list = async (resource: string): Promise<readonly Loose[]> => await served.runJson([resource]) as readonly Loose[];

const idOf = async (resource: string, name: string): Promise<number> => {
	const record = (await list(resource)).find(candidate => candidate['name'] === name);
	return Number(record?.['id']);
};

const isInstalled = async (name: string): Promise<boolean> => (await list('installed')).some(record => record['name'] === name);

const dryRunNote = 'Nothing was changed: this was a dry run.\n';

test('abilities are uninstalled and installed again, and stay in the list of abilities', async () => {
	const [ability, installed] = [await idOf('abilities', 'pantry'), await idOf('installed', 'pantry')];
	assert.deepEqual(await served.run(['uninstall', 'Pantry', '--yes']), ended(0, `${installed}\tpantry\tuninstalled\n`));
	assert.equal(await isInstalled('pantry'), false);
	assert.deepEqual(await served.run(['enable', 'pantry']), ended(4, '', 'pantry is not installed. Nothing was done.\nTo install it, use: switchboard install pantry\n'));
	assert.deepEqual(await served.run(['install', 'PANTRY', '--json']), ended(0, json([
		{
			capability_id: ability, name: 'pantry', installed: true, changed: true,
		},
	])));
	assert.deepEqual(await served.run(['install', String(ability)]), ended(0, `${ability}\tpantry\tunchanged\n`));
	const again = await idOf('installed', 'pantry');
	assert.deepEqual(await served.run(['uninstall', 'pantry', '--yes', '--json']), ended(0, json([
		{
			installed_cap_id: again, name: 'pantry', installed: false, changed: true,
		},
	])));
	assert.equal(await idOf('abilities', 'pantry'), ability);
});

test('nothing is installed or uninstalled unless all are found, or without a terminal and --yes', async () => {
	const records = await list('installed');
	assert.deepEqual(await served.run(['install', 'visitornotes', 'nowhere']), notFound('ability', 'nowhere', 'abilities'));
	assert.deepEqual(await served.run(['uninstall', 'goodnight', 'nowhere', '--yes']), notFound('installed ability', 'nowhere', 'installed'));
	const unaskable = 'Cannot ask for confirmation without a terminal. Use --yes to uninstall without confirmation.';
	assert.deepEqual(await served.run(['uninstall', 'goodnight', '--json']), ended(2, '', jsonError('usage', unaskable)));
	assert.deepEqual(await list('installed'), records);
});

test('on a terminal uninstall names what is lost and the agents that have the ability, and does nothing without a yes', async () => {
	const id = await idOf('installed', 'printerqueue');
	await using terminal = openPseudoTerminal({
		command: process.execPath, args: [programFile, 'uninstall', 'printerqueue'], env: served.env, columns: 400,
	});
	const lost = 'Its state (off) and its trigger phrases (“printer queue”, “what is printing”) are lost, on some services also its ties to agents';
	await terminal.waitFor(`Uninstall printerqueue (${id}), used by Desk? ${lost}; installing it again switches it on. The ability itself stays. [y/N]`);
	terminal.press('enter');
	await terminal.waitFor('Nothing was uninstalled.');
	assert.equal((await terminal.exited).exitCode, 2);
	assert.equal(await isInstalled('printerqueue'), true);
});

test('installed edit replaces the trigger phrases and keeps the state', async () => {
	const id = await idOf('installed', 'goodnight');
	const edited = (words: readonly string[], isChanged: boolean) => ended(0, json([
		{
			installed_cap_id: id, name: 'goodnight', trigger_words: words, changed: isChanged,
		},
	]));
	assert.deepEqual(await served.run(['installed', 'edit', 'Goodnight', '--triggers', ' sleep well ,lights out,', '--json']), edited(['sleep well', 'lights out'], true));
	assert.deepEqual(await served.run(['installed', 'edit', String(id), '--triggers', 'sleep well,lights out', '--json']), edited(['sleep well', 'lights out'], false));
	const record = (await list('installed')).find(candidate => candidate['id'] === id)!;
	assert.deepEqual([record['trigger_words'], record['enabled']], [['sleep well', 'lights out'], true]);
	assert.deepEqual(await served.run(['installed', 'edit', 'goodnight', '--no-triggers']), ended(0, `${id}\tgoodnight\t\tchanged\n`));
	assert.deepEqual(await served.run(['installed', 'edit', 'goodnight', '--triggers', 'good night']), ended(0, `${id}\tgoodnight\tgood night\tchanged\n`));
});

test('--all is narrowed down to an agent and a category, with exceptions', async () => {
	const names = async (...words: readonly string[]): Promise<readonly string[]> => {
		const {stdout, stderr, exitCode} = await served.run(['disable', '--all', ...words, '--dry-run']);
		assert.deepEqual([stderr, exitCode], [dryRunNote, 0]);
		return stdout.trimEnd().split('\n').map(line => line.split('\t', 3)[2]!);
	};

	assert.deepEqual(await names('--agent', 'hearth'), ['morninglights', 'nightwatch', 'goodnight', 'guestwifi', 'medicinetime', 'laundrywatch']);
	assert.deepEqual(await names('--category', 'Daemon'), ['nightwatch', 'medicinetime', 'laundrywatch']);
	assert.deepEqual(await names('--category', 'background_daemon', '--except', 'medicinetime,NIGHTWATCH'), ['laundrywatch']);
	assert.deepEqual(await names('--agent', 'Hearth', '--category', 'skill', '--except', 'goodnight'), ['morninglights', 'guestwifi']);
});

test('a dry run of every command prints what would be and changes nothing', async () => {
	const resources = ['agents', 'abilities', 'installed'] as const;
	const before_ = await Promise.all(resources.map(async resource => list(resource)));
	const [agents, abilities, installed] = before_ as [readonly Loose[], readonly Loose[], readonly Loose[]];
	const idIn = (records: readonly Loose[], name: string): number => Number(records.find(record => record['name'] === name)?.['id']);
	const [morninglights, nightwatch] = [idIn(installed, 'morninglights'), idIn(installed, 'nightwatch')];
	const dry = async (...words: readonly string[]) => served.run([...words, '--dry-run', '--read-only']);
	const lines = (...texts: readonly string[]) => ended(0, texts.map(text => `${text}\n`).join(''), dryRunNote);
	assert.deepEqual(await dry('toggle', 'morninglights', 'nightwatch'), lines(`${morninglights}\toff\tmorninglights\tchanged`, `${nightwatch}\ton\tnightwatch\tchanged`));
	assert.deepEqual(await dry('enable', 'morninglights', '--json'), ended(0, json([
		{
			installed_cap_id: morninglights, name: 'morninglights', enabled: true, changed: false,
		},
	]), dryRunNote));
	assert.deepEqual(await dry('install', 'visitornotes', 'morninglights'), lines(
		`${idIn(abilities, 'visitornotes')}\tvisitornotes\tinstalled`,
		`${idIn(abilities, 'morninglights')}\tmorninglights\tunchanged`,
	));
	assert.deepEqual(await dry('uninstall', 'morninglights', '--json'), ended(0, json([
		{
			installed_cap_id: morninglights, name: 'morninglights', installed: false, changed: true,
		},
	]), dryRunNote));
	assert.deepEqual(await dry('installed', 'edit', 'morninglights', '--triggers', 'rise and shine'), lines(`${morninglights}\tmorninglights\trise and shine\tchanged`));
	assert.deepEqual(await dry('abilities', 'delete', 'morninglights'), lines(`${idIn(abilities, 'morninglights')}\tmorninglights\tdeleted`));
	const cellar = path.join(served.home.folder, 'cellar');
	assert.deepEqual(await dry('abilities', 'upload', cellar, '--agent', 'Desk', '--json'), ended(0, json({capability_id: null, name: 'cellar', detail: ''}), dryRunNote));
	const desk = agents.find(record => record['name'] === 'Desk')!;
	assert.deepEqual(await dry('agents', 'edit', 'Desk', '--name', 'Bureau', '--prompt', 'Be brief.', '--abilities', 'visitornotes', '--json'), ended(0, json({
		...desk, name: 'Bureau', description: 'Be brief.', matching_capabilities: [idIn(abilities, 'visitornotes')],
	}), dryRunNote));
	assert.deepEqual(await Promise.all(resources.map(async resource => list(resource))), before_);
});

test('a dry run finds what the command would refuse', async () => {
	const dry = async (...words: readonly string[]) => served.run([...words, '--dry-run']);
	assert.deepEqual(await dry('disable', 'nowhere'), notFound('installed ability', 'nowhere', 'installed'));
	assert.deepEqual(await dry('abilities', 'delete', 'nowhere'), notFound('ability', 'nowhere', 'abilities'));
	assert.deepEqual(await dry('abilities', 'upload', path.join(served.home.folder, 'cellar'), '--agent', 'Attic'), notFound('agent', 'Attic', 'agents'));
	assert.deepEqual(await dry('agents', 'edit', 'Desk', '--abilities', 'nowhere'), notFound('ability', 'nowhere', 'abilities'));
	assert.equal(lastError(await dry('installed', 'edit', 'morninglights', '--triggers', 'abc', '--json')).kind, 'refused');
	assert.equal(lastError(await dry('abilities', 'upload', path.join(served.home.folder, 'cellar'), '--triggers', 'abc', '--json')).kind, 'refused');
});

test('keys revoke --dry-run finds the keys and revokes none', async () => {
	assert.equal((await served.run(['keys', 'create', '--name', 'ci'])).exitCode, 0);
	const keys = await served.runJson(['keys', 'list']) as ReadonlyArray<{readonly id: number; readonly name: string}>;
	const {id} = keys.find(({name}) => name === 'ci')!;
	assert.deepEqual(await served.run(['keys', 'revoke', 'CI', '--dry-run', '--read-only']), ended(0, `${id}\trevoked\tci\n`, dryRunNote));
	assert.deepEqual(await served.run(['keys', 'revoke', String(id), 'ci', '--dry-run', '--json']), ended(0, json([{id, name: 'ci', revoked: true}]), dryRunNote));
	assert.equal((await served.run(['keys', 'revoke', 'ci', 'nobody', '--dry-run'])).exitCode, 4);
	assert.deepEqual(await served.runJson(['keys', 'list']), keys);
});
