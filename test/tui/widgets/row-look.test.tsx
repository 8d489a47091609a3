import {assert, stripVTControlCharacters, test} from '../../helpers/node.ts';
import {renderToString} from 'ink';
import {highlightOf} from '../../../source/interface/filter.ts';
import {stripCell, type TiedAbility} from '../../../source/tui/screens/agent/tied-abilities.ts';
import {abilityColumns, abilityHead, abilityLine, agentsCell} from '../../../source/tui/screens/list/ability-row.ts';
import {parseRow} from '../../../source/tui/terminal/cells.ts';
import {Tabs} from '../../../source/tui/widgets/header.tsx';

const terminal = {columns: 80, isColorless: false, isDumb: false, colorBits: 8, isAscii: false} as const;

const line = (change: Partial<Parameters<typeof abilityLine>[0]> = {}): ReturnType<typeof abilityLine> =>
	abilityLine({
		isCursor: false,
		isMarked: false,
		isChanged: false,
		filter: highlightOf([], false),
		record: {name: 'nightwatch', category: 'background_daemon', triggerPhrases: [], changedAt: undefined},
		second: agentsCell(['Hearth'], true, 'background_daemon'),
		columns: abilityColumns(80),
		now: 0,
		isEnabled: true,
		isInstalled: true,
		isPending: false,
		hasFailed: false,
		...change,
	});

const stylesOf = (text: string, options: Parameters<typeof parseRow>[1] = terminal): readonly string[] => [
	...new Set(parseRow(text, options).map(({style}) => style)),
];

test('the row under the cursor has one look, to the right edge, and is in reverse video without colours', () => {
	const {text} = line({isCursor: true});
	assert.equal(parseRow(text, terminal).length, 80);
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

test('a row is read out with its category in place of its agents', () => {
	assert.equal(line().label, '  on nightwatch, daemon');
});

test('until the agents are read their column is empty; then a dash stands for none, and ? for what the service does not show', () => {
	const secondOf = (...[agents, areRead]: readonly [agents: readonly string[] | undefined, areRead: boolean]): string =>
		/nightwatch(?<second>.*)– always/
			.exec(stripVTControlCharacters(line({second: agentsCell(agents, areRead, 'background_daemon')}).text))!
			.groups!['second']!.trim();
	assert.deepEqual([secondOf(undefined, false), secondOf([], true), secondOf(undefined, true)], ['', '–', '?']);
	assert.deepEqual(
		[true, false].map(hasAgents => abilityHead(abilityColumns(80), hasAgents)[2]!.column),
		['agents', 'category'],
	);
});

test('on a wide screen the columns stay next to each other', () => {
	const {name, agents, phrases, age} = abilityColumns(200);
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
	const underlined = parseRow(tabs(false), terminal).filter(({style}) => style.split(';').includes('4'));
	assert.equal(underlined.map(({text}) => text).join(''), '2 Installed');
	assert.match(stripVTControlCharacters(tabs(true)), /\[2 Installed\]/);
	assert.doesNotMatch(stripVTControlCharacters(tabs(false)), /\[/);
});
