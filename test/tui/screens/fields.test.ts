import {assert, test, type TestContext} from '../../helpers/node.ts';
import {keyTable} from '../../../source/words/key-table.ts';
import {openHome, pressOnRows} from '../helpers/open-home.ts';
import {includes, keyBytes, openEditorBench, wide} from '../helpers/kit.ts';

const letters = [...'abcdefghijklmnopqrstuvwxyz'];

/** What a terminal sends for keys that nothing here knows. */
const unknownSequences = ['\u{1B}[99~', '\u{1B}[120;9u', '\u{1B}[1;7P', '\u{1B}[57361u'];

/** Every key that types no character: those of the table, and all that a terminal has beside them. Ctrl+C, Ctrl+L and Ctrl+Z work everywhere. */
const keys: readonly string[] = [
	...new Set([
		...Object.values(keyTable)
			.flatMap(action => action.keys)
			.filter(key => key.length > 1 && key !== 'space'),
		...Array.from({length: 12}, (_, index) => `f${index + 1}`),
		// For h, i, j and m terminals send the same as for Backspace, Tab and Enter.
		...letters.filter(letter => !/[hijm]/.test(letter)).map(letter => `ctrl+${letter}`),
		...[...letters, ...'0123456789/?:<>!', 'enter', 'tab'].map(key => `alt+${key}`),
		'insert',
		'delete',
		'ctrl+space',
		'ctrl+_',
		'ctrl+]',
	]),
].filter(key => !['ctrl+c', 'ctrl+l', 'ctrl+z'].includes(key));

const moves = ['up', 'down', 'pageup', 'pagedown', 'home', 'end', 'ctrl+n', 'ctrl+p'];
const searchLine = ['enter', 'escape', 'backspace', 'ctrl+w', 'ctrl+u', 'up', 'down', 'ctrl+n', 'ctrl+p'];
const filterLine = [...searchLine, ...moves, 'tab', 'shift+tab'];
const field = [
	'enter',
	'ctrl+s',
	'escape',
	'backspace',
	'delete',
	'left',
	'right',
	'home',
	'end',
	'ctrl+left',
	'ctrl+right',
	...[...'abdefkuw'].map(letter => `ctrl+${letter}`),
	...[...'bdf'].map(letter => `alt+${letter}`),
];
const form = [...field, 'tab', 'shift+tab', 'up', 'down'];
const editor = [
	'enter',
	'tab',
	'f1',
	...Object.values(keyTable)
		.filter(({scope}) => scope === 'text')
		.flatMap(action => action.keys),
];

type Field = readonly [
	what: string,
	opening: readonly string[],
	shows: string,
	own: readonly string[],
	probe?: readonly [there: string, back: string],
];

const fields: readonly Field[] = [
	['the filter of the agents', ['1', '/', 'e'], '/e_', [...filterLine, 'ctrl+t']],
	['the filter of the abilities', ['2', '/', 'e'], '/e_', [...filterLine, 'ctrl+t']],
	['the filter of the installed abilities', ['3', '/', 'a'], '/a_', [...filterLine, 'ctrl+t']],
	["the filter of an agent's abilities", ['2', '1', 't', '/', 'a'], '/a_', filterLine, ['m', 'backspace']],
	['the search in the help', ['?', '/', 'e'], '/e_', searchLine],
	['the search in the messages', ['M', '/', 'e'], '/e_', searchLine],
	['the search in an opened agent', ['1', 'enter', '/', 'e'], '/e_', searchLine],
	['the search in an opened ability', ['3', 'enter', '/', 'e'], '/e_', searchLine],
	['the palette', [':', 'e'], ' :e_', [...searchLine, ...moves]],
	['the name of an agent', ['1', 'c'], '> Name', field],
	['the name of a preset', ['b', 's'], '> Name', field],
	['the sign-in', ['C'], '> Address', form],
	['the path of an upload', ['2', 'U'], '> Path', form],
	['the category of an upload', ['2', 'U', 'up', 'up', 'up', 'up'], '> Category', form, ['right', 'left']],
	['the trigger phrases', ['3', 't'], '> Phrases', field],
	['the prompt of an agent', ['1', 'e'], ' Prompt of Hearth', editor, ['y', 'ctrl+_']],
];

for (const [what, opening, shows, own, [there, back] = ['y', 'backspace']] of fields) {
	test(`in ${what} a key that has no use there does nothing, in front or behind`, async (t: TestContext) => {
		openEditorBench(t);
		const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
		await pressOnRows(app, opening);
		const before = (
			await app.shows(
				lines => includes(shows)(lines) && !/reading/i.test(lines.join('\n')) && app.session().records.queryClient.isFetching() === 0,
			)
		).join('\n');
		const {overlays, messages, screen} = app.state();
		// Each in one piece: Alt and a key are not Escape and that key.
		for (const bytes of [...keys.filter(key => !own.includes(key)).map(key => keyBytes(key)), ...unknownSequences]) {
			app.write(bytes);
		}

		await app.press(there).shows(lines => lines.join('\n') !== before);
		await app.press(back).shows(lines => lines.join('\n') === before);
		assert.deepEqual(
			{
				overlays: app.state().overlays,
				messages: app.state().messages,
				screen: app.state().screen,
				exitCode: app.exitCode(),
				writes: service.requests.filter(({method}) => method !== 'GET').length,
			},
			{overlays, messages, screen, exitCode: undefined, writes: 0},
		);
	});
}
