import {assert, test, type TestContext} from '../../helpers/node.ts';
import stringWidth from 'string-width';
import {keyLabel} from '../../../source/words/keymap.ts';
import {keyTable, tasks} from '../../../source/words/key-table.ts';
import {signRows} from '../../../source/words/signs.ts';
import {cursorLine, includes, isFresh, keyBytes, openHome, type RenderedApp, small, togglesOf} from '../helpers/kit.ts';

const isHelp = (lines: readonly string[]): boolean => lines[0]!.startsWith(' Keys');

const isAllKeys = (lines: readonly string[]): boolean => /^ All k(?:eys|…)/.test(lines[0]!);

/** Opens the page of all keys. */
async function showAllKeys(app: RenderedApp): Promise<readonly string[]> {
	return app.press('?', '?').shows(isAllKeys);
}

const wide = {columns: 150, rows: 100};

/** The editor has a help of its own: no other key works there. */
const screenActions = Object.values(keyTable).filter(({scope}) => scope !== 'text');

/** What the help says, from its left column to its right one, a row each however many lines it takes: its keys and what they do. A heading is a row by itself. */
function rowsOf(lines: readonly string[]): readonly string[] {
	const middle = wide.columns / 2;
	const described = lines.find(line => line.includes('move down one row'))!.indexOf('move down one row') % middle;
	const rows: string[] = [];
	for (const line of [...lines.slice(1, -1).map(each => each.slice(0, middle)), ...lines.slice(1, -1).map(each => each.slice(middle))]) {
		const keys = line.slice(0, described).replace(/^ > /, '').trim();
		const description = line.slice(described).trim();
		if (keys !== '') {
			rows.push(`${keys} ${description}`.trim());
		} else if (description !== '') {
			rows[rows.length - 1] += ` ${description}`;
		}
	}

	return rows;
}

test('keys are grouped by task, in two columns where there is room', async (t: TestContext) => {
	const {app} = await openHome(t, {size: wide});
	const lines = await showAllKeys(app);
	assert.match(lines[1]!, /^ Switch {60,}\S/);
	assert.match(lines[2]!, /^ > Space +switch the ability under the cursor, or all marked {2,}\S/);
	const rows = rowsOf(lines);
	assert.deepEqual(
		rows.filter(row => [...tasks, 'Elsewhere'].includes(row)),
		[...tasks, 'Elsewhere'],
	);
	const group = rows.slice(rows.indexOf('Mark') + 1, rows.indexOf('Find and sort'));
	assert.deepEqual(group, [
		'x mark or unmark the row under the cursor and move down',
		'v start a range; press again to end it',
		'a mark all rows shown, or unmark them',
		'Esc dismiss an error, then clear the marks, then the filter, then the sentence',
	]);
	assert.ok(
		lines.every(line => stringWidth(line) < wide.columns && !/\S…/.test(line)),
		lines.join('\n'),
	);
	const narrow = await app.resize({columns: 99, rows: 130}).shows(frame => frame[1] === ' Switch');
	assert.deepEqual(
		narrow.filter(line => [...tasks, 'Elsewhere'].some(task => line === ` ${task}`)),
		[...tasks, 'Elsewhere'].map(task => ` ${task}`),
	);
	assert.deepEqual(
		narrow.filter((line, index) => line === '' && narrow[index + 1] !== '').length,
		tasks.length + 3,
		'one empty line between two groups, and those below the last',
	);
});

test('every sign is explained, in ASCII none that words stand in place of', async (t: TestContext) => {
	for (const isAscii of [false, true]) {
		const {app} = await openHome(t, {size: wide, isAscii});
		const rows = rowsOf(await showAllKeys(app));
		assert.deepEqual(
			// A long sign goes on below.
			signRows.filter(({sign, description}) =>
				rows.every(row => !(row.startsWith(sign.split(' ', 1)[0]!) && row.endsWith(` ${description}`))),
			),
			signRows.filter(({isWordsInAscii}) => isAscii && isWordsInAscii),
		);
	}
});

for (const size of [
	{columns: 80, rows: 24},
	{columns: 40, rows: 10},
]) {
	test(`at ${size.columns}×${size.rows} the help of a read-only run says that changes are refused, and has no keys for them`, async (t: TestContext) => {
		const {app} = await openHome(t, {size, isReadOnly: true});
		const lines = await app.press('?').shows(isHelp);
		assert.match(lines[0]!, size.columns === 80 ? /read-only: changes are refused$/ : /read-only: changes/);
		assert.ok(
			lines.every(line => !/Space|switch on/.test(line)),
			lines.join('\n'),
		);
	});
}

test('actions of the current screen come first; for others the help says where they work', async (t: TestContext) => {
	const {app} = await openHome(t, {size: wide});
	const helpOf = async (screen: string): Promise<readonly string[]> => {
		const lines = await app.write(`${screen}??`).shows(isAllKeys);
		await app.press('escape').shows(frame => !isAllKeys(frame));
		return rowsOf(lines).filter(line => / (?:on \S+: )?(?:edit the|rename|choose the|delete|uninstall|redraw)/.test(line));
	};

	assert.deepEqual(await helpOf('3'), [
		't edit the trigger phrases',
		'd uninstall the ability, or all marked ones, after confirmation',
		'Ctrl+L redraw the screen',
		'e on Abilities: edit the name, the category, the phrases and the description',
		'd on Abilities: delete the ability under the cursor, or all marked ones, after confirmation',
		'c, F2 on Agents: rename the agent',
		"e on Agents: edit the agent's prompt",
		"t on Agents: choose the agent's abilities",
	]);
	assert.deepEqual((await helpOf('1')).slice(0, 4), [
		'c, F2 rename the agent',
		"e edit the agent's prompt",
		"t choose the agent's abilities",
		'Ctrl+L redraw the screen',
	]);
});

for (const screen of ['1', '2', '3']) {
	test(`the help for a record opened on screen ${screen} says which actions only work on the list`, async (t: TestContext) => {
		const {service, app} = await openHome(t, {size: wide});
		await app.write(`${screen}\r`).shows('esc back');
		const rows = rowsOf(await showAllKeys(app));
		assert.deepEqual(rows.slice(0, 2), ['Here', 'Esc dismiss an error, then go back to the list']);
		await app.press('escape').shows(frame => !isAllKeys(frame));

		const told = rows.filter(row => row.includes('on the list: '));
		const onlyOnList = Object.values(keyTable).filter(({worksOnRecord}) => worksOnRecord === false);
		assert.deepEqual(
			told.map(line => line.split('on the list: ', 2)[1]),
			onlyOnList.map(({description}) => description),
		);
		for (const {keys} of onlyOnList) {
			const key = keys[0]!;
			if (key === 'enter' || key === 'escape') {
				continue;
			}

			await app.press(key).shows(`${keyLabel(key)} works on the list, not here.`);
		}

		assert.ok(includes('esc back')(app.lines()));
		assert.deepEqual(togglesOf(service), []);
	});
}

test('a page longer than the screen scrolls with the cursor to its end and back', async (t: TestContext) => {
	const {app} = await openHome(t);
	const first = await showAllKeys(app);
	assert.match(first[0]!, /^ All keys +1–\d+ of \d+$/);
	assert.match(first[2]!, /^ > Space /);
	await app.press('j').shows(lines => lines.some(line => line.startsWith(' > E ')));
	const last = await app.press('G').shows(lines => /–(?<end>\d+) of \k<end>$/.test(lines[0]!));
	assert.match(last.findLast(line => line.startsWith(' > '))!, /^ > f +on Agents: show/);
	app.press('j', 'pagedown');
	assert.deepEqual(await app.press('g').shows(lines => /^ All keys +1–/.test(lines[0]!)), first);
});

const unspaced = (text: string): string => text.replaceAll(/\s+/g, '');

/** The page of all keys from its first line to its last, as it is scrolled through row by row. */
async function wholePage(app: RenderedApp): Promise<readonly string[]> {
	let frame = await showAllKeys(app);
	const topOf = (lines: readonly string[]): number => Number(/(?<top>\d+)–/.exec(lines[0]!)?.groups?.['top']);
	const whole = frame.slice(1, -1);
	const lineCount = / of (?<count>\d+)$/.exec(frame[0]!)!.groups!['count']!;
	while (!frame[0]!.includes(`–${lineCount}`)) {
		const before = frame;
		frame = await app.press('j').shows(lines => lines.join('\n') !== before.join('\n'));
		// Only an empty line before a heading may never be on the screen.
		whole.push(...frame.slice(Math.max(1, frame.length - 1 - topOf(frame) + topOf(before)), -1));
	}

	return whole.map(line => line.replace(/^ > /, ' '.repeat(3)));
}

for (const size of [
	{columns: 40, rows: 10},
	{columns: 80, rows: 24},
	{columns: 20, rows: 5},
]) {
	test(`at ${size.columns}×${size.rows} every description is complete and wraps where it is long`, async (t: TestContext) => {
		const {app} = await openHome(t, {size, until: 'lamps'});
		const lines = await wholePage(app);
		const column = lines[1]!.indexOf('switch');
		// Where a word is wider than its place, it goes on below as well.
		const described = unspaced(lines.map(line => line.slice(column)).join(''));
		assert.deepEqual(
			screenActions.filter(({description}) => !described.includes(unspaced(description))),
			[],
		);
		assert.ok(
			lines.every(line => stringWidth(line) < size.columns && !/\S…/.test(line)),
			lines.join('\n'),
		);
		const keys = unspaced(lines.map(line => line.slice(0, column)).join(''));
		assert.ok(keys.includes('Tab,],l,RightShift+Tab,[,h,Left'), keys);
	});
}

test('keys are beside the first line of their description', async (t: TestContext) => {
	const {app} = await openHome(t, {size: small, until: 'lamps'});
	assert.deepEqual((await showAllKeys(app)).slice(1, -1), [
		' Switch',
		' > Space             switch the ability',
		'                     under the cursor,',
		'                     or all marked ones',
		'   E                 switch on the',
		'                     ability under the',
		'                     cursor or all',
		'                     marked ones; on',
	]);
});

/** Opens each screen, and a record from it. */
const places: ReadonlyArray<readonly [place: string, keys: string]> = [
	['Agents', '1'],
	['Abilities', '2'],
	['Installed', '3'],
	['an agent', '1\r'],
	['an ability', '2\r'],
	['an installed ability', '3\r'],
];

test('at 80×24 the daily keys of each place are whole on one page, in two columns', async (t: TestContext) => {
	const {app} = await openHome(t, {size: {columns: 80, rows: 24}});
	for (const [place, keys] of places) {
		await t.test(place, async () => {
			const isRecord = keys.endsWith('\r');
			await app.write(keys).shows(isRecord ? 'esc back' : `[${keys} ${place}]`);
			const lines = await app.press('?').shows(isHelp);
			assert.equal(lines[0], ' Keys', 'it does not scroll');
			assert.equal(lines.at(-1), ' ? all keys  / find  enter run it  esc back');
			assert.ok(
				lines.every(line => stringWidth(line) < 80 && !line.includes('…')),
				lines.join('\n'),
			);
			for (const heading of ['Move', 'Look', 'Act', 'Find']) {
				assert.equal(lines.filter(line => line.slice(1, 12).trim() === heading || line.slice(41).trim() === heading).length, 1, heading);
			}

			// No description goes on below.
			assert.deepEqual(
				lines.filter(line => /^ {12}\S/.test(line) || /^.{40} {11}\S/.test(line)),
				[],
			);
			await app.press('escape').shows(isRecord ? 'esc back' : isFresh);
			await app.press(...(isRecord ? ['escape'] : [])).shows(isFresh);
		});
	}
});

test('the daily keys are those of the screen, with the keys that the person has for them', async (t: TestContext) => {
	const {app} = await openHome(t, {size: {columns: 80, rows: 24}, keys: {toggle: ['ctrl+t', 'T'], 'mark-range': []}});
	const installed = await app.press('?').shows(isHelp);
	assert.ok(
		installed.some(line => / Ctrl\+T +switch on or off$/.test(line)),
		installed.join('\n'),
	);
	assert.ok(installed.some(line => / t +edit the trigger phrases$/.test(line)));
	assert.ok(!includes('mark a range')(installed), 'it has no key');
	const agents = await app.write(keyBytes('escape', ...'1?')).shows(isHelp, 'choose the abilities');
	assert.ok(!includes('switch on or off')(agents));
});

test('Escape, q and F10 close each page of the help, and nothing else happens', async (t: TestContext) => {
	const {app} = await openHome(t);
	const before = app.lines();
	for (const key of ['escape', 'q', 'f10']) {
		for (const pages of [['?'], ['?', 'f1']]) {
			await t.test(`${key} after ${pages.join(' ')}`, async () => {
				await app.press(...pages).shows(pages.length === 1 ? isHelp : isAllKeys);
				assert.deepEqual(await app.press(key).shows(isFresh), before);
				assert.equal(app.exitCode(), undefined);
			});
		}
	}
});

test('? goes from the daily keys to all keys and back', async (t: TestContext) => {
	const {app} = await openHome(t, {size: {columns: 80, rows: 24}});
	const daily = await app.press('?').shows(isHelp);
	assert.equal((await app.press('?').shows(isAllKeys)).at(-1), ' ? daily keys  / find  enter run it  esc back');
	assert.deepEqual(await app.press('?').shows(isHelp), daily);
});

test('h and l, Left and Right go between the columns, and h in the first one goes back', async (t: TestContext) => {
	const {app} = await openHome(t, {size: {columns: 80, rows: 24}});
	await app.press('?', 'j').shows(' > k, Up ');
	const right = await app.press('l').shows(lines => / {2}k, Up .* > E {2,}switch on$/.test(lines[3]!));
	app.press('l');
	await app.press('h').shows(' > k, Up ');
	assert.deepEqual(await app.press('right').shows(lines => lines[3] === right[3]), right);
	await app.press('left').shows(' > k, Up ');
	await app.press('h').shows(isFresh);
});

test('Enter runs the key under the cursor on the screen beneath', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: {columns: 80, rows: 24}});
	await app.press('?', 'enter').shows(lines => isFresh(lines) && !cursorLine(lines)!.includes('lamps'));
	await app.press('k').shows(lines => cursorLine(lines)!.includes('lamps'));
	// Keys of the same chunk come after it.
	app.write('?l\r');
	await app.write('j').shows(lines => includes('off  lamps')(lines) && !cursorLine(lines)!.includes('lamps'));
	await app.until(() => togglesOf(service).length === 1);
	app.write('??');
	await app.write('/sort by the col\r\r').says('Sort by');
});

test('on an opened record Enter on q goes back, and on a key of the list it goes there', async (t: TestContext) => {
	const {app} = await openHome(t, {size: {columns: 80, rows: 24}});
	await app.press('enter').shows('esc back');
	app.write('??');
	await app.write('/quit once\r\r').shows(isFresh);
	assert.equal(app.exitCode(), undefined);
	await app.press('enter').shows('esc back');
	app.write('??');
	await app.write('/unmark the row\r\r').shows('1 marked');
});

test('a key that works elsewhere runs there, whatever the same key does here', async (t: TestContext) => {
	const {app} = await openHome(t, {size: {columns: 80, rows: 24}});
	app.write('??');
	await app.write('/on agents: rename\r').shows('/on agents: rename  1 found');
	await app.press('enter').shows(lines => includes('enter save')(lines) && app.state().screen === 'agents');
});

test('over a choice of abilities Enter on a key of another screen does nothing, and the choice stays', async (t: TestContext) => {
	const {app} = await openHome(t, {size: {columns: 80, rows: 24}, screen: 'agents', until: 'Hearth'});
	await app.press('t').shows('[ ] ');
	const chosen = await app.press('space').shows(lines => lines.every(line => !line.startsWith(' > [ ]')));
	app.write('??');
	assert.doesNotMatch((await app.write('/uninstall\r').shows('found')).at(-1)!, /run it/);
	assert.deepEqual(await app.press('enter', 'escape', 'escape').shows(' > ['), chosen);
});

test('/ finds among all keys as one types, Enter keeps what is found, and Escape ends the search', async (t: TestContext) => {
	const {app} = await openHome(t, {size: {columns: 80, rows: 24}});
	await app.write('?/').shows(lines => / All keys +\/_$/.test(lines[0]!));
	const narrow = await app.write('mark').shows('/mark_');
	assert.ok(narrow.slice(1, -1).filter(line => /^ [ >] \S/.test(line)).length > 3);
	assert.equal(narrow.at(-1), ' enter keep  esc end the search  up/down move');
	const lines = await app.write(' all').shows('/mark all_  1 found');
	assert.deepEqual(lines.slice(1, 3), [' Mark', ' > a  mark all rows shown, or unmark them']);
	await app.write(keyBytes('ctrl+u', ...'no such key')).shows('Nothing matches.');
	assert.ok(includes(' > Ctrl+R')(await app.write(keyBytes('ctrl+u', ...'undo', 'down', 'enter')).shows('/undo  2 found')));
	await app.press('escape').shows(lines_ => / All keys +1–\d+ of \d+$/.test(lines_[0]!));
	await app.press('escape').shows(isFresh);
});

test('while the help is open no key works on the list', async (t: TestContext) => {
	const {service, app} = await openHome(t);
	await app.write('?jj r1x').shows(isHelp);
	const lines = await app.press('escape').shows(isFresh);
	assert.match(lines[1]!, /\[3 Installed\]$/);
	assert.match(cursorLine(lines)!, /lamps/);
	assert.deepEqual(togglesOf(service), []);
	assert.equal(service.requests.filter(({path}) => path.includes('get-installed')).length, 1);
});
