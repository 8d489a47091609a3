import assert from 'node:assert/strict';
import {test, type TestContext} from 'node:test';
import stringWidth from 'string-width';
import {keyBytes} from '../../helpers/key-bytes.ts';
import type {RenderedApp} from '../../helpers/render-app.tsx';
import {keyLabel} from '../../../source/tui/keys/keymap.ts';
import {keyTable, tasks} from '../../../source/tui/keys/key-table.ts';
import {signRows} from '../../../source/tui/state/signs.ts';
import {togglesOf} from '../helpers/homes.ts';
import {cursorLine, includes, isFresh} from '../helpers/shown.ts';
import {openHome} from '../helpers/open-home.ts';
import {small} from '../helpers/sizes.ts';

const isHelp = (lines: readonly string[]): boolean => lines[0]!.startsWith(' Keys');

const wide = {columns: 150, rows: 100};

/** The editor has a help of its own: no other key works there. */
const screenActions = Object.values(keyTable).filter(({scope}) => scope !== 'text');

/** What the help says, from its left column to its right one, a row each however many lines it takes: its keys and what they do. A heading is a row by itself. */
const rowsOf = (lines: readonly string[]): readonly string[] => {
	const middle = wide.columns / 2;
	const described = lines.find(line => line.includes('move down one row'))!.indexOf('move down one row') % middle;
	const rows: string[] = [];
	for (const line of [...lines.slice(1, -1).map(each => each.slice(0, middle)), ...lines.slice(1, -1).map(each => each.slice(middle))]) {
		const keys = line.slice(0, described).trim();
		const description = line.slice(described).trim();
		if (keys !== '') {
			rows.push(`${keys} ${description}`.trim());
		} else if (description !== '') {
			rows[rows.length - 1] += ` ${description}`;
		}
	}

	return rows;
};

test('keys are grouped by task, in two columns where there is room', async (t: TestContext) => {
	const {app} = await openHome(t, {size: wide});
	app.press('?');
	const lines = await app.waitForFrame(isHelp);
	assert.match(lines[1]!, /^ Switch {60,}\S/);
	assert.match(lines[2]!, /^ Space +switch the ability under the cursor, or all marked ones {2,}\S/);
	const rows = rowsOf(lines);
	assert.deepEqual(rows.filter(row => [...tasks, 'Elsewhere'].includes(row)), [...tasks, 'Elsewhere']);
	const group = rows.slice(rows.indexOf('Mark') + 1, rows.indexOf('Find and sort'));
	assert.deepEqual(group, [
		'x mark or unmark the row under the cursor and move down',
		'v start a range; press again to end it',
		'a mark all rows shown, or unmark them',
		'Esc dismiss an error, then clear the marks, then the filter',
	]);
	assert.ok(lines.every(line => stringWidth(line) < wide.columns && !/\S…/.test(line)), lines.join('\n'));
	app.resize({columns: 99, rows: 120});
	const narrow = await app.waitForFrame(frame => frame[1] === ' Switch');
	assert.deepEqual(narrow.filter(line => [...tasks, 'Elsewhere'].some(task => line === ` ${task}`)), [...tasks, 'Elsewhere'].map(task => ` ${task}`));
	assert.deepEqual(narrow.filter((line, index) => line === '' && narrow[index + 1] !== '').length, tasks.length + 3, 'one empty line between two groups, and those below the last');
});

test('every sign is explained', async (t: TestContext) => {
	const {app} = await openHome(t, {size: wide});
	app.press('?');
	const rows = rowsOf(await app.waitForFrame(isHelp));
	// A long sign goes on below.
	const missing = signRows.filter(({sign, description}) => rows.every(row => !(row.startsWith(sign.split(' ', 1)[0]!) && row.endsWith(` ${description}`))));
	assert.deepEqual(missing, []);
});

for (const [size, told] of [
	[{columns: 80, rows: 24}, [' Read-only         this run is read-only: keys that change something are', '                   refused', '', ' Switch']],
	[{columns: 40, rows: 10}, [' Read-only         this run is', '                   read-only: keys that', '                   change something are', '                   refused', '', ' Switch']],
] as const) {
	test(`at ${size.columns}×${size.rows} the help of a read-only run says first that keys are refused`, async (t: TestContext) => {
		const {service, app} = await openHome(t, {size, isReadOnly: true});
		app.press('?');
		assert.deepEqual((await app.waitForFrame(isHelp)).slice(1, 1 + told.length), told);
		app.write(keyBytes('escape', 'space'));
		await app.waitForFrame(includes('this run is read-only'));
		assert.deepEqual(togglesOf(service), []);
	});
}

test('actions of the current screen come first; for others the help says where they work', async (t: TestContext) => {
	const {app} = await openHome(t, {size: wide});
	const helpOf = async (screen: string): Promise<readonly string[]> => {
		app.write(`${screen}?`);
		const lines = await app.waitForFrame(isHelp);
		app.press('escape');
		await app.waitForFrame(frame => !isHelp(frame));
		return rowsOf(lines).filter(line => / (?:on \S+: )?(?:edit the|rename|choose the|delete|uninstall|redraw)/.test(line));
	};

	assert.deepEqual(await helpOf('3'), [
		't edit the trigger phrases',
		'd uninstall the ability, or all marked ones, after confirmation',
		'Ctrl+L redraw the screen',
		'd on Abilities: delete the ability under the cursor, or all marked ones, for ever, after confirmation',
		'c, F2 on Agents: rename the agent',
		'e on Agents: edit the agent\'s prompt',
		't on Agents: choose the agent\'s abilities',
	]);
	assert.deepEqual((await helpOf('1')).slice(0, 4), [
		'c, F2 rename the agent',
		'e edit the agent\'s prompt',
		't choose the agent\'s abilities',
		'Ctrl+L redraw the screen',
	]);
});

for (const screen of ['1', '2', '3']) {
	test(`the help for a record opened on screen ${screen} says which actions only work on the list`, async (t: TestContext) => {
		const {service, app} = await openHome(t, {size: wide});
		app.write(`${screen}\r`);
		await app.waitForFrame(includes('esc back'));
		app.press('?');
		const rows = rowsOf(await app.waitForFrame(isHelp));
		assert.equal(rows[0], 'Esc dismiss an error, then go back to the list');
		app.press('escape');
		await app.waitForFrame(frame => !isHelp(frame));

		const told = rows.filter(row => row.includes('on the list: '));
		const onlyOnList = Object.values(keyTable).filter(({worksOnRecord}) => worksOnRecord === false);
		assert.deepEqual(told.map(line => line.split('on the list: ', 2)[1]), onlyOnList.map(({description}) => description));
		for (const {keys} of onlyOnList) {
			const key = keys[0]!;
			if (key === 'enter' || key === 'escape') {
				continue;
			}

			app.press(key);
			await app.waitForFrame(includes(`${keyLabel(key)} works on the list, not here.`));
		}

		assert.ok(includes('esc back')(app.lines()));
		assert.deepEqual(togglesOf(service), []);
	});
}

test('a help longer than the screen scrolls to its end and back', async (t: TestContext) => {
	const {app} = await openHome(t);
	app.press('?');
	const first = await app.waitForFrame(isHelp);
	assert.match(first[0]!, /^ Keys +1–\d+ of \d+$/);
	app.press('j');
	await app.waitForFrame(lines => /^ Keys +2–/.test(lines[0]!));
	app.press('G');
	const last = await app.waitForFrame(lines => /–(?<end>\d+) of \k<end>$/.test(lines[0]!));
	app.press('j', 'pagedown');
	app.press('g');
	assert.deepEqual(await app.waitForFrame(lines => /^ Keys +1–/.test(lines[0]!)), first);
	assert.notDeepEqual(last, first);
});

const unspaced = (text: string): string => text.replaceAll(/\s+/g, '');

/** The help from its first line to its last, as it is scrolled through. */
const wholeHelp = async (app: RenderedApp): Promise<readonly string[]> => {
	app.press('?');
	let frame = await app.waitForFrame(isHelp);
	const first = frame;
	app.press('G');
	const last = await app.waitForFrame(lines => lines[0] !== first[0]);
	app.press('g');
	await app.waitForFrame(lines => lines[0] === first[0]);
	const whole = frame.slice(1, -1);
	while (frame.join('\n') !== last.join('\n')) {
		const before = frame;
		app.press('j');
		frame = await app.waitForFrame(lines => lines.join('\n') !== before.join('\n'));
		whole.push(frame.at(-2)!);
	}

	return whole;
};

for (const size of [{columns: 40, rows: 10}, {columns: 80, rows: 24}, {columns: 20, rows: 5}]) {
	test(`at ${size.columns}×${size.rows} every description is complete and wraps where it is long`, async (t: TestContext) => {
		const {app} = await openHome(t, {size, until: 'lamps'});
		const lines = await wholeHelp(app);
		const column = lines[1]!.indexOf('switch');
		// Where a word is wider than its place, it goes on below as well.
		const described = unspaced(lines.map(line => line.slice(column)).join(''));
		assert.deepEqual(screenActions.filter(({description}) => !described.includes(unspaced(description))), []);
		assert.ok(lines.every(line => stringWidth(line) < size.columns && !/\S…/.test(line)), lines.join('\n'));
		const keys = unspaced(lines.map(line => line.slice(0, column)).join(''));
		assert.ok(keys.includes('Tab,],l,RightShift+Tab,[,h,Left'), keys);
	});
}

test('keys are beside the first line of their description', async (t: TestContext) => {
	const {app} = await openHome(t, {size: small, until: 'lamps'});
	app.press('?');
	assert.deepEqual((await app.waitForFrame(isHelp)).slice(1, -1), [
		' Switch',
		' Space             switch the ability',
		'                   under the cursor, or',
		'                   all marked ones',
		' E                 switch on the',
		'                   ability under the',
		'                   cursor, or all',
		'                   marked ones',
	]);
});

for (const key of ['escape', 'q', '?', 'f1', 'enter']) {
	test(`${key} closes the help, and nothing else happens`, async (t: TestContext) => {
		const {app} = await openHome(t);
		const before = app.lines();
		app.press('?');
		await app.waitForFrame(isHelp);
		app.press(key);
		assert.deepEqual(await app.waitForFrame(isFresh), before);
		assert.equal(app.exitCode(), undefined);
	});
}

test('while the help is open no key works on the list', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	app.write('?jj r1x');
	await app.waitForFrame(isHelp);
	app.press('escape');
	const lines = await app.waitForFrame(isFresh);
	assert.match(lines[1]!, /\[3 Installed\]$/);
	assert.match(cursorLine(lines)!, /lamps/);
	assert.deepEqual(togglesOf(service), []);
	assert.equal(service.requests.length, 1);
});
