import cliTruncate from 'cli-truncate';
import {formatCount} from '../../../interface/format-count.ts';
import {type Preset} from '../../../state/preset.ts';
import {type PresetPlan} from '../../../state/preset-plan.ts';
import {spokenRow, spokenText} from '../../terminal/spoken-text.ts';
import {theme} from '../../theme.ts';
import {fit} from '../../widgets/fit.ts';
import {lineOf, type Line} from '../../widgets/styled-text.ts';
import {changeCountText, countsText} from './preset-texts.ts';

type PresetRow = {
	readonly preset: Preset;
	/** Says why there is none if it is a text. */
	readonly plan: PresetPlan | string;
	readonly isCursor: boolean;
	readonly width: number;
	/** Columns for the longest name. */
	readonly nameColumns: number;
};

const startColumns = 3;
const changeColumns = 12;
const gap = '  ';

/** Columns for the name where the rest of a usual row has to fit. */
const nameRoom = (width: number): number => Math.max(8, width - startColumns - changeColumns - 12 - (2 * gap.length));

const leftAloneCountText = ({missing, shared}: PresetPlan): string => [
	missing.length === 0 ? '' : `${formatCount(missing.length)} not installed`,
	shared.length === 0 ? '' : `${formatCount(shared.length)} unclear`,
].filter(Boolean).join(', ');

/** A preset on one line: its name, how many it would change now, how many it holds on and off, and how many it leaves alone. */
export const presetLine = ({preset, plan, isCursor, width, nameColumns}: PresetRow): Line => {
	const change = typeof plan === 'string' ? plan : changeCountText(plan);
	const leftAlone = typeof plan === 'string' ? '' : leftAloneCountText(plan);
	const name = fit(preset.name, Math.min(nameColumns, nameRoom(width)));
	const rest = [change.padEnd(changeColumns), countsText(preset), leftAlone].filter(Boolean).join(gap);
	return lineOf([
		[isCursor ? ' > ' : ' '.repeat(startColumns), {...theme.accent, bold: true}],
		[name, isCursor ? theme.current : theme.plain],
		[cliTruncate(`${gap}${rest}`, Math.max(0, width - startColumns - name.length)), theme.secondary],
	], spokenRow(isCursor, spokenText(preset.name, change, countsText(preset), leftAlone)));
};
