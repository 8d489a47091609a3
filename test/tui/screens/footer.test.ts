import {assert, test, type TestContext} from '../../helpers/node.ts';
import {cursorLine, filterLine, installedRecord, isFresh, keyBytes, openHome, wide} from '../helpers/kit.ts';

const agents = [{id: 1, name: 'Hearth', description: ''}];

const open = async (
	t: TestContext,
	options: {readonly screen: 'agents' | 'abilities' | 'installed'; readonly columns?: number; readonly isReadOnly?: boolean},
) => {
	const {service, app} = await openHome(t, {
		home: {agents},
		...options,
		size: {...wide, columns: options.columns ?? wide.columns},
		until: lines => isFresh(lines) && cursorLine(lines) !== undefined,
	});
	return {service, app, footer: () => app.lines().at(-1)};
};

for (const [screen, isReadOnly, columns, footer] of [
	['agents', false, 80, ' c rename  e prompt  t abilities  enter open  / filter  x mark  ? keys  q quit'],
	['agents', false, 40, ' c rename  e prompt  t abilities  ? keys'],
	['agents', true, 80, ' enter open  / filter  x mark  ? keys  q quit  T talk  b presets  : commands'],
	['abilities', false, 80, ' space switch  d delete for ever  enter open  / filter  x mark  ? keys  q quit'],
	['abilities', false, 40, ' space switch  d delete for ever  ? keys'],
	['abilities', true, 80, ' enter open  / filter  x mark  ? keys  q quit  T talk  b presets  : commands'],
	['installed', false, 80, ' space switch  d uninstall  enter open  / filter  x mark  ? keys  q quit  T talk'],
	['installed', false, 40, ' space switch  d uninstall  ? keys'],
	['installed', false, 20, ' space switch  ?'],
	['installed', true, 64, ' enter open  / filter  x mark  ? keys  q quit  T talk  b presets'],
] as const) {
	test(`at ${columns} columns the footer of ${screen} names what acts there${isReadOnly ? ', and nothing that changes something in a read-only run' : ''}`, async (t: TestContext) => {
		const {footer: shownFooter} = await open(t, {screen, columns, isReadOnly});
		assert.equal(shownFooter(), footer);
	});
}

for (const [screen, isReadOnly, columns, footer] of [
	['installed', false, 80, ' space switch  E on  D off  u undo  esc unmark  d uninstall  ? keys'],
	['installed', false, 40, ' space switch  E on  D off  u undo  ?'],
	['abilities', false, 80, ' space switch  E on  D off  u undo  esc unmark  i install  d delete  ? keys'],
	['agents', false, 80, ' c rename  e prompt  t abilities  u undo  esc unmark  ? keys'],
	['agents', false, 40, ' c rename  e prompt  t abilities  ? keys'],
	['agents', true, 80, ' esc unmark  ? keys'],
	['installed', true, 80, ' esc unmark  ? keys'],
] as const) {
	test(`with rows marked the footer of ${screen} at ${columns} columns names what acts then${isReadOnly ? ' in a read-only run' : ''}`, async (t: TestContext) => {
		const {app, footer: shownFooter} = await open(t, {screen, columns, isReadOnly});
		const before = shownFooter();
		await app.press('x').shows(lines => /1 marked|1\*/.test(lines[1]!));
		assert.equal(shownFooter(), footer);
		await app.press('escape').shows(lines => !/1 marked|1\*/.test(lines[1]!));
		assert.equal(shownFooter(), before);
	});
}

test('for a list longer than the screen the second line shows the position of the cursor', async (t: TestContext) => {
	const installed = Array.from({length: 5000}, (_, index) => installedRecord(index + 1, `ability${index}`, true));
	const {app} = await openHome(t, {home: {installed}, size: wide});
	assert.match(app.lines()[1]!, /^ 1 Agents {2}2 Abilities \[3 Installed\] +1 of 5000$/);
	assert.match((await app.write('j'.repeat(411)).shows('412 of 5000'))[1]!, / {3}412 of 5000$/);
	assert.match(cursorLine(app.lines())!, / ability411 /);
	await app.press('G').shows('5000 of 5000');
	assert.match(filterLine(await app.write('/ability4\r').shows('/ability4 ')), /^\/ability4 {3}row \d+, \d+ of 5000$/);
	assert.equal(
		filterLine(await app.write(keyBytes('/', 'ctrl+u', ...'ability4321', 'enter')).shows('/ability4321 ')),
		'/ability4321   1 of 5000',
	);
	await app.press('escape').shows(lines => filterLine(lines) === '');
	assert.match(
		(await app.resize({columns: 40, rows: 10}).shows(lines => lines.length === 10))[1]!,
		/^ 1 {2}2 \[3 Installed\] +\d+ of 5000$/,
	);
});

test('for a list that fits the screen no position is shown', async (t: TestContext) => {
	const {app} = await open(t, {screen: 'installed'});
	assert.equal(app.lines()[1], ' 1 Agents  2 Abilities [3 Installed]');
});
