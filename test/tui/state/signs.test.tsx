import {assert, stripVTControlCharacters, test} from '../../helpers/node.ts';
import type {ReactElement} from 'react';
import {renderToString} from 'ink';
import {stripCell} from '../../../source/tui/screens/agent/tied-abilities.ts';
import {tieLine} from '../../../source/tui/screens/agent/ties-screen.tsx';
import {abilityColumns, abilityLine, agentsCell} from '../../../source/tui/screens/list/ability-row.ts';
import {highlightOf} from '../../../source/interface/filter.ts';
import {signRows, signs, profileSigns} from '../../../source/tui/state/signs.ts';
import {toAsciiText} from '../../../source/tui/terminal/ascii.ts';
import {ColumnHeader, FilterLine, Header, SentenceLine, Tabs} from '../../../source/tui/widgets/header.tsx';

const draw = (element: ReactElement, columns = 80): string => stripVTControlCharacters(renderToString(element, {columns}));

/** Every look of a row, of a column's name and of the first two lines and of the filter; the words in them have no signs of their own. */
const drawings = (): readonly string[] => {
	const row = (change: Partial<Parameters<typeof abilityLine>[0]>): string =>
		stripVTControlCharacters(
			abilityLine({
				isCursor: false,
				isMarked: false,
				isChanged: false,
				filter: highlightOf([], false),
				record: {name: 'lamps', category: '', triggerPhrases: [], changedAt: undefined},
				second: agentsCell([], true, ''),
				columns: abilityColumns(40),
				now: 0,
				isEnabled: true,
				isInstalled: true,
				isPending: false,
				hasFailed: false,
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
					{isCursor: false, isChosen, widths: abilityColumns(40), highlight: highlightOf([], false)},
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
};

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
