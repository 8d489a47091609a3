import {assert, test, type TestContext} from '../../helpers/node.ts';
import {cursorLine, filterLine, installedRecord, keyBytes, openHome, wide} from '../helpers/kit.ts';

const agents = [{id: 1, name: 'Hearth', description: ''}];

const screens = {agents: '1', abilities: '2', installed: '3'} as const;

type Footer = readonly [screen: keyof typeof screens, columns: number, footer: string, withMarks?: string];

const footers: readonly Footer[] = [
	[
		'agents',
		80,
		' enter open  / filter  e prompt  t abilities  E/D on, off  x mark  ? keys',
		' E on  D off  f installed  esc unmark  ? keys',
	],
	['agents', 40, ' enter open  / filter  e prompt  ? keys', ' E on  D off  f installed  esc unmark  ?'],
	[
		'abilities',
		80,
		' space switch  / filter  i install  enter open  U upload  x mark  : find  ? keys',
		' space switch  E on  D off  esc unmark  i install  ? keys',
	],
	['abilities', 40, ' space switch  / filter  i install  ?'],
	[
		'installed',
		80,
		' space switch  / filter  enter open  x mark  : find  ? keys  q quit  T talk',
		' space switch  E on  D off  esc unmark  ? keys',
	],
	['installed', 40, ' space switch  / filter  enter open  ?', ' space switch  E on  D off  ? keys'],
	['installed', 20, ' space switch  ?'],
];

const readOnlyFooters: readonly Footer[] = [
	['agents', 80, ' enter open  / filter  x mark  : find  ? keys  q quit  T talk  b presets', ' f installed  esc unmark  ? keys'],
	['abilities', 80, ' / filter  enter open  x mark  : find  ? keys  q quit  T talk  b presets'],
	['installed', 80, ' / filter  enter open  x mark  : find  ? keys  q quit  T talk  b presets', ' esc unmark  ? keys'],
	['installed', 64, ' / filter  enter open  x mark  : find  ? keys  q quit  T talk'],
];

for (const [title, isReadOnly, cases] of [
	['the footer names what acts on each screen at each width, with rows marked or without', false, footers],
	['the footer names nothing that changes something in a read-only run', true, readOnlyFooters],
] as const) {
	test(title, async (t: TestContext) => {
		const {app} = await openHome(t, {home: {agents}, size: wide, isReadOnly});
		for (const [screen, columns, footer, withMarks] of cases) {
			await t.test(`${screen} at ${columns} columns`, async () => {
				const isFooter =
					(wanted: string) =>
					(lines: readonly string[]): boolean =>
						lines.at(-1) === wanted;
				await app.press(screens[screen]).until(() => app.state().screen === screen);
				await app.resize({...wide, columns}).shows(isFooter(footer), lines => cursorLine(lines) !== undefined);
				if (withMarks !== undefined) {
					await app.press('x').shows(/1 marked|1\*/, isFooter(withMarks));
					await app.press('escape').shows(isFooter(footer), lines => !/1 marked|1\*/.test(lines[1]!));
				}
			});
		}
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
		/^ 1 A {2}2 Ab \[3 Installed\] +\d+ of 5000$/,
	);
});
