import {assert, stripVTControlCharacters, test} from '../../helpers/node.ts';
import {renderToString} from 'ink';
import {highlightOf} from '../../../source/interface/filter.ts';
import {stripCell, type TiedAbility} from '../../../source/tui/screens/tied-abilities.ts';
import {abilityRowColumns, abilityHead, abilityLine, agentsCell} from '../../../source/tui/screens/list/ability-row.ts';
import {createRowParser} from '../../../source/terminal/cells.ts';
import {ColumnHeader, FilterLine, Header, SentenceLine, Tabs} from '../../../source/tui/widgets/header.tsx';
import {profileColors, profileMarks, profileSigns, signRows, signs} from '../../../source/words/signs.ts';
import type {ReactElement} from 'react';
import {tieLine} from '../../../source/tui/screens/agent/ties-screen.tsx';
import {toAsciiText} from '../../../source/terminal/ascii.ts';

const terminal = {columns: 80, isColorless: false, isDumb: false, colorBits: 8, isAscii: false} as const;

const line = (change: Partial<Parameters<typeof abilityLine>[0]> = {}): ReturnType<typeof abilityLine> =>
	abilityLine({
		isCursor: false,
		isMarked: false,
		isChanged: false,
		filter: highlightOf([], false),
		record: {name: 'nightwatch', category: 'background_daemon', triggerPhrases: [], changedAt: undefined},
		second: agentsCell(['Hearth'], true, 'background_daemon'),
		columns: abilityRowColumns(80),
		now: 0,
		isEnabled: true,
		isInstalled: true,
		isPending: false,
		hasFailed: false,
		...change,
	});

const stylesOf = (text: string, options: Parameters<typeof createRowParser>[0] = terminal): readonly string[] => [
	...new Set(createRowParser(options)(text).map(({style}) => style)),
];

test('the row under the cursor has one look, to the right edge, and is in reverse video without colours', () => {
	const {text} = line({isCursor: true});
	assert.equal(createRowParser(terminal)(text).length, 80);
	assert.deepEqual(stylesOf(text), ['30;46']);
	assert.deepEqual(stylesOf(text, {...terminal, isColorless: true}), ['7']);
	assert.match(stripVTControlCharacters(text), /^ > on {3}nightwatch /);
});

test('what a filter found is underlined under the cursor too', () => {
	const {text} = line({isCursor: true, filter: highlightOf(['watch'], false)});
	assert.deepEqual(stylesOf(text), ['30;46', '4;30;46']);
});

test('agents follow the name, and the category stands in the place of phrases', () => {
	assert.match(stripVTControlCharacters(line().text), /^ {3}on {3}nightwatch +Hearth +– always listening +/);
	assert.match(
		stripVTControlCharacters(
			line({
				second: agentsCell(['Hearth', 'Study'], true, 'brain_skill'),
				record: {name: 'pantry', category: 'brain_skill', triggerPhrases: [], changedAt: undefined},
			}).text,
		),
		/pantry +Hearth, S… +– the agent decides/,
	);
});

test('a row is read out with its category in place of its agents', () => assert.equal(line().label, '  on nightwatch, daemon'));

test('until the agents are read their column is empty; then a dash stands for none, and ? for what the service does not show', () => {
	const secondOf = (...[agents, areRead]: readonly [agents: readonly string[] | undefined, areRead: boolean]): string =>
		/nightwatch(?<second>.*)– always/
			.exec(stripVTControlCharacters(line({second: agentsCell(agents, areRead, 'background_daemon')}).text))!
			.groups!['second']!.trim();
	assert.deepEqual([secondOf(undefined, false), secondOf([], true), secondOf(undefined, true)], ['', '–', '?']);
	assert.deepEqual(
		[true, false].map(hasAgents => abilityHead(abilityRowColumns(80), hasAgents)[2]!.column),
		['agents', 'category'],
	);
});

test('on a wide screen the columns stay next to each other', () => {
	const {name, agents, phrases, age} = abilityRowColumns(200);
	assert.deepEqual([name, agents, phrases, age], [32, 20, 44, 10]);
});

const tied = (isEnabled: boolean | undefined, isInstalled: boolean | undefined = true): TiedAbility => ({
	id: 1,
	name: 'lamps',
	ability: undefined,
	installed: undefined,
	isInstalled,
	isEnabled,
});

test('the abilities of an agent are a strip of signs, and words in ASCII and for screen readers', () => {
	const all = [tied(false), tied(true), tied(undefined, false), tied(true), tied(undefined)];
	assert.equal(stripCell(all, 12, false).text, '●●○–?');
	assert.equal(stripCell(all, 12, false).spoken, '2 on, 1 off, 1 not installed, 1 not shown');
	assert.equal(stripCell([tied(true), tied(false), tied(true)], 12, true).text, '2 on, 1 off');
	assert.equal(
		stripCell(
			Array.from({length: 40}, () => tied(true)),
			12,
			false,
		).text,
		'40 on',
	);
	assert.deepEqual([stripCell([], 12, false).text, stripCell(undefined, 12, false).text], ['none', '?']);
});

const tabs = (isColorless: boolean): string =>
	renderToString(
		<Tabs
			width={80}
			tabs={['Agents', 'Installed'].map((title, index) => ({key: String(index + 1), title, isCurrent: index === 1}))}
			filter={undefined}
			isFilterOpen={false}
			isColorless={isColorless}
			order=""
			markedCount={0}
			shownCount={3}
			totalCount={3}
		/>,
		{columns: 80},
	);

test('the current tab is underlined, and in brackets where there are no colours', () => {
	const underlined = createRowParser(terminal)(tabs(false)).filter(({style}) => style.split(';').includes('4'));
	assert.equal(underlined.map(({text}) => text).join(''), '2 Installed');
	assert.match(stripVTControlCharacters(tabs(true)), /\[2 Installed\]/);
	assert.doesNotMatch(stripVTControlCharacters(tabs(false)), /\[/);
});

/** The colours as terminals come with them: xterm, the Linux console, Windows Terminal, Terminal.app, GNOME before 2020. */
const palettes: Readonly<Record<string, readonly string[]>> = {
	magenta: ['cd00cd', 'aa00aa', '881798', 'd338d3', '75507b'],
	blueBright: ['5c5cff', '5555ff', '3b78ff', '5833ff', '729fcf'],
	green: ['00cd00', '00aa00', '13a10e', '25bc24', '4e9a06'],
	magentaBright: ['ff00ff', 'ff55ff', 'b4009e', 'f935f8', 'ad7fa8'],
};

/** The same in Solarized, whose own backgrounds are two of the sixteen colours. */
const solarized: Readonly<Record<string, string>> = {magenta: 'd33682', blueBright: '839496', green: '859900', magentaBright: '6c71c4'};

const solarizedBackgrounds = ['002b36', 'fdf6e3'];

/** Relative luminance (WCAG 2.2). */
function luminance(color: string): number {
	const [red, green, blue] = [0, 2, 4].map(start => {
		const value = Number.parseInt(color.slice(start, start + 2), 16) / 255;
		return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
	}) as [number, number, number];
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(first: string, second: string): number {
	const [darker, lighter] = [luminance(first), luminance(second)].toSorted((one, other) => one - other) as [number, number];
	return (lighter + 0.05) / (darker + 0.05);
}

const isFaint = (color: string, backgrounds: readonly string[]): boolean => backgrounds.some(background => contrast(color, background) < 2);

test('the colours of profiles are legible on black and on white, and in Solarized', () => {
	assert.deepEqual(profileColors.toSorted(), Object.keys(palettes).toSorted());
	const faint = profileColors.flatMap(name =>
		[
			...palettes[name]!.filter(color => isFaint(color, ['000000', 'ffffff'])),
			...[solarized[name]!].filter(color => isFaint(color, solarizedBackgrounds)),
		].map(color => `${name} ${color}`),
	);
	assert.deepEqual(faint, []);
});

test('as long as there are enough, no two profiles share a colour or a sign', () => {
	for (let round = 0; round < 50; round++) {
		const marks = [...profileMarks(Array.from({length: profileColors.length}, (_, index) => `profile-${round}-${index}`)).values()];
		assert.equal(new Set(marks.map(({color}) => color)).size, profileColors.length);
		assert.equal(new Set(marks.map(({sign}) => sign)).size, profileColors.length);
	}
});

test('a profile keeps its mark when others are added, and in every run', () => {
	const names = ['work', 'home.example.com', 'lab', 'École'];
	const all = profileMarks([...names, 'later', 'latest']);
	const before = profileMarks(names);
	assert.deepEqual(
		names.map(name => all.get(name)),
		names.map(name => before.get(name)),
	);
	assert.deepEqual(profileMarks(['work']).get('work'), {sign: '@', color: 'magenta'});
});

test('every profile has a mark, even where there are more profiles than marks', () => {
	const marks = profileMarks(Array.from({length: 30}, (_, index) => `p${index}`));
	const unknown = [...marks.values()].filter(({sign, color}) => !profileSigns.includes(sign) || !profileColors.includes(color));
	assert.deepEqual(unknown, []);
	assert.equal(marks.size, 30);
});

test('a profile that is not stored has none', () => assert.equal(profileMarks(['work']).get('environment'), undefined));

const draw = (element: ReactElement, columns = 80): string => stripVTControlCharacters(renderToString(element, {columns}));

/** Every look of a row, of a column's name and of the first two lines and of the filter; the words in them have no signs of their own. */
function drawings(): readonly string[] {
	const row = (change: Parameters<typeof line>[0]): string =>
		stripVTControlCharacters(
			line({
				record: {name: 'lamps', category: '', triggerPhrases: [], changedAt: undefined},
				second: agentsCell([], true, ''),
				columns: abilityRowColumns(40),
				...change,
			}).text,
		);
	const tabs = {
		width: 80,
		tabs: [{key: '1', title: 'Agents', isCurrent: true}],
		filter: 'light',
		isFilterOpen: true,
		isColorless: true,
		order: '',
		markedCount: 3,
		shownCount: 3,
		totalCount: 3,
	};
	const column = {title: 'name', indent: 0, width: 10, number: undefined};
	return [
		row({isCursor: true}),
		row({isMarked: true}),
		row({isChanged: true}),
		row({isPending: true}),
		row({hasFailed: true}),
		row({isInstalled: false, isEnabled: undefined}),
		row({isEnabled: undefined}),
		row({record: {name: 'a'.repeat(99), category: 'skill', triggerPhrases: [], changedAt: undefined}}),
		...[true, false].map(isChosen =>
			stripVTControlCharacters(
				tieLine(
					{id: 1, name: 'lamps', category: 'skill', triggerPhrases: []},
					{isCursor: false, isChosen, widths: abilityRowColumns(40), highlight: highlightOf([], false)},
				).text,
			),
		),
		draw(
			<ColumnHeader
				columns={[
					{...column, order: 'up'},
					{...column, order: 'down'},
				]}
			/>,
		),
		row({second: agentsCell(['Hearth'], true, '')}),
		...(['starts', 'collides', 'has it'] as const).map(kind => row({heard: {kind, text: ''}})),
		draw(<SentenceLine width={80} isOpen sentence="" outcome="" />),
		stripCell(
			[true, false].map(isEnabled => ({id: 1, name: 'lamps', ability: undefined, installed: undefined, isInstalled: true, isEnabled})),
			14,
			false,
		).text,
		draw(<Tabs {...tabs} />),
		draw(<FilterLine {...tabs} />),
		draw(<Tabs {...tabs} width={24} />, 24),
		...profileSigns.map(sign =>
			draw(
				<Header
					width={100}
					profileName="office"
					profileMark={{sign, color: 'green'}}
					hostLabel="machine"
					badges={[signs.readOnly, signs.insecure]}
					status="! unreachable"
					statusTone="error"
					counts=""
					flaws={[]}
				/>,
				100,
			),
		),
	];
}

/** Punctuation of a sentence; the middle dot stands between two parts of a line. */
const punctuation = new Set(['·', '-', ',']);

const signsIn = (text: string): ReadonlySet<string> =>
	new Set(text.match(/[^\s\p{Letter}\p{Number}]/gu)?.filter(sign => !punctuation.has(sign)));

test('every sign that is drawn is explained', () => {
	const explained = signsIn(signRows.map(({sign}) => sign).join(''));
	const drawn = signsIn(drawings().join(''));
	assert.deepEqual([...drawn.difference(explained)], []);
	// The id of an agent is a part of its row alone.
	assert.deepEqual([...explained.difference(drawn)], [signs.id]);
});

test("a sign has one meaning, also in ASCII, and is no profile's mark", () => {
	for (const convert of [(text: string) => text, toAsciiText]) {
		const words = convert === toAsciiText ? signRows.filter(({isWordsInAscii}) => isWordsInAscii).flatMap(({sign}) => sign.split(' ')) : [];
		const all = [...Object.values(signs).filter(sign => !words.includes(sign)), ...profileSigns].map(sign => convert(sign));
		assert.deepEqual(
			all.filter((sign, index) => all.indexOf(sign) !== index),
			[],
		);
		const inOthers = all.slice(0, -profileSigns.length).join('');
		assert.deepEqual(
			profileSigns.filter(sign => inOthers.includes(convert(sign))),
			[],
		);
	}
});
