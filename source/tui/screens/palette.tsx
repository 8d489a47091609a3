import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import {type ReactElement, useMemo, useState} from 'react';
import {Box, Text} from 'ink';
import {formatCount} from '../../interface/format-count.ts';
import {useAppState, useUiServices} from '../app-context.ts';
import {useServiceSession} from '../hooks/service-session.ts';
import {useToggle} from '../hooks/use-resource.ts';
import {useTypedLine} from '../keys/typed-line.ts';
import {typingEnd} from '../../words/signs.ts';
import {spokenText} from '../../terminal/spoken-text.ts';
import {type Style, theme} from '../theme.ts';
import {type Line, List, type Part} from '../widgets/list.tsx';
import {cursorRowOf, initialListState, afterMove} from '../state/list-state.ts';
import {HintLine, Notice} from '../widgets/notice.tsx';
import {highlightedParts} from '../widgets/row.ts';
import {fit} from '../../terminal/wrap.ts';
import {overlayLine, rowStart} from './list-overlay.tsx';
import {paletteEntries, useFindable, type PaletteEntry} from './palette-entries.ts';
import {createFinder} from './palette-finder.ts';

const leastNameWidth = 20;

const mostNameWidth = 34;

const stateColumns = 5;

const stateLooks: Readonly<Record<string, Style>> = {on: theme.on, off: theme.off};

/**
Finds an action, a record, a preset, a profile or a topic of the help, in the way that lists are filtered, and carries it out or opens it.
*/
export function PaletteScreen({initialText = ''}: {readonly initialText?: string | undefined}): ReactElement {
	const ui = useUiServices();
	const {size, screen} = useAppState();
	const [text, setText] = useState(initialText);
	const [cursor, setCursor] = useState(initialListState);
	const session = useServiceSession();
	const toggle = useToggle();
	const findable = useFindable(ui, session);
	const entries = useMemo(() => paletteEntries(ui, {...findable, screen, session}), [findable, screen, session, ui]);
	const longestName = useMemo(
		() => Math.max(...entries.filter(({record}) => record === undefined).map(({name}) => stringWidth(name))),
		[entries],
	);
	const find = useMemo(() => createFinder(entries, {ui, session}), [entries, ui, session]);
	const {found, highlight} = useMemo(() => find(text), [find, text]);
	const ids = useMemo(() => [...found.keys()], [found]);
	const lineCount = useMemo(() => entries.filter(({isElsewhere}) => !isElsewhere).length, [entries]);
	const listRows = Math.max(1, size.rows - 3);
	const current = found[cursorRowOf(cursor, ids)];

	const type = (typed: string): void => {
		setText(typed);
		setCursor(initialListState);
	};

	useTypedLine({
		read: () => text,
		type,
		keep() {
			if (current !== undefined) {
				ui.store.dispatch({type: 'close'});
				current.run(toggle);
			}
		},
		leave() {
			ui.store.dispatch({type: 'close'});
		},
		move(move) {
			setCursor(before => afterMove(before, ids, move, listRows));
		},
	});

	const where = current === undefined || current.elsewhere === '' ? '' : ` (on ${current.elsewhere})`;
	return (
		<Box flexDirection="column" height={size.rows} overflow="hidden">
			<Text wrap="truncate-end">
				<Text {...theme.title}>{` :${cliTruncate(text, size.columns - 20)}${typingEnd}`}</Text>
				<Text {...theme.faint}>{`   ${formatCount(found.length)} of ${formatCount(lineCount)}`}</Text>
			</Text>
			{ids.length === 0 ? (
				<Notice width={size.columns} height={listRows} tone="plain" title="Nothing matches." hint="Ctrl+U clears the text." />
			) : (
				<List
					state={cursor}
					ids={ids}
					visibleRows={listRows}
					lineOf={(row, isCursor) => {
						const entry = found[row]!;
						return paletteLine(entry, {positions: highlight.matchPositions(entry.name), isCursor, width: size.columns, longestName});
					}}
				/>
			)}
			<Text {...theme.secondary} wrap="truncate-end" aria-hidden>{` ${current?.description ?? ''}${where}`}</Text>
			<HintLine
				width={size.columns}
				hints={[
					{key: 'enter', label: 'run'},
					{key: 'up/down', label: 'move'},
					{key: 'esc', label: 'back'},
				]}
			/>
		</Box>
	);
}

type PaletteLineOptions = {
	readonly positions: ReadonlySet<number>;
	readonly isCursor: boolean;
	readonly width: number;
	/** Columns of the longest name: names of profiles may differ only at their end. */
	readonly longestName: number;
};

/** Returns an entry of the palette on one line: name, keys and, if there is room, its effect; a record with its state and its agents. */
function paletteLine(entry: PaletteEntry, {positions, isCursor, width, longestName}: PaletteLineOptions): Line {
	const {name, keys, description, facts} = entry;
	const most = width - rowStart;
	const wanted = Math.min(mostNameWidth, Math.max(leastNameWidth, longestName + 1), Math.floor(most * 0.6));
	const look = entry.elsewhere === '' ? theme.plain : theme.secondary;
	const named = (columns: number): readonly Part[] => {
		const shown = cliTruncate(name, columns);
		return [...highlightedParts(shown, positions, look), [' '.repeat(columns - stringWidth(shown))]];
	};

	if (facts !== undefined) {
		const columns = Math.floor((most - stateColumns) * 0.6);
		const agents = cliTruncate(facts.agents, Math.max(0, most - stateColumns - columns - 1));
		const parts: readonly Part[] = [
			[fit(facts.state, stateColumns), stateLooks[facts.state] ?? theme.secondary],
			...named(columns),
			[agents, theme.secondary],
		];
		return overlayLine(isCursor, parts, spokenText(facts.state, name, facts.agents), width);
	}

	const both = wanted + Math.min(18, most - wanted - 1);
	const nameWidth = keys === '' ? Math.min(most, Math.max(wanted, stringWidth(name) + 2)) : wanted;
	const room = most - Math.max(both, nameWidth) - 1;
	const keyParts: readonly Part[] = nameWidth < both ? [[fit(keys, both - nameWidth), theme.accent]] : [];
	return overlayLine(
		isCursor,
		[...named(nameWidth), ...keyParts, [room > 10 ? cliTruncate(description, room) : '', look]],
		spokenText(name, keys, description),
		width,
	);
}
