import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import {type PaletteMatch} from '../state/palette.ts';
import {spokenText, spokenRow} from '../terminal/spoken-text.ts';
import {theme} from '../theme.ts';
import {fit} from './fit.ts';
import {highlightedParts} from './highlighted-parts.ts';
import {lineOf, type Line} from './styled-text.ts';

type PaletteRow = PaletteMatch & {
	readonly isCursor: boolean;
	readonly width: number;
	/** Columns of the longest name: names of profiles may differ only at their end. */
	readonly longestName: number;
};

const leastNameWidth = 20;
const mostNameWidth = 34;

const markerWidth = 3;

/** One action of the palette on one line: name, keys, and what it does if there is room. */
export const paletteLine = ({entry, positions, isCursor, width, longestName}: PaletteRow): Line => {
	const wanted = Math.min(mostNameWidth, Math.max(leastNameWidth, longestName + 1));
	const nameWidth = Math.min(wanted, Math.floor((width - markerWidth) * 0.6));
	const keysWidth = Math.min(18, width - markerWidth - nameWidth - 1);
	const room = width - markerWidth - nameWidth - keysWidth - 1;
	const look = entry.elsewhere === '' || isCursor ? theme.plain : theme.secondary;
	const name = cliTruncate(entry.name, nameWidth);
	return lineOf([
		[isCursor ? ' > ' : ' '.repeat(3), {...theme.accent, bold: true}],
		...highlightedParts(name, positions, isCursor ? theme.current : look),
		[' '.repeat(nameWidth - stringWidth(name))],
		[fit(entry.keys, keysWidth), theme.accent],
		[room > 10 ? cliTruncate(entry.description, room) : '', look],
	], spokenRow(isCursor, spokenText(entry.name, entry.keys, entry.description)));
};
