import {type ReactElement} from 'react';
import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import {spokenText} from '../terminal/spoken-text.ts';
import {theme, type Tone} from '../theme.ts';
import {spread} from './fit.ts';
import {type ProfileMark} from './profile-mark.ts';
import {StyledLine} from './lines.tsx';

type HeaderProps = {
	readonly width: number;
	/** If there is no room for all, the address and the counts are dropped before the name. */
	readonly profileName: string;
	/** `undefined` if there is no stored profile. */
	readonly profileMark: ProfileMark | undefined;
	readonly hostLabel: string;
	readonly badges: readonly string[];
	readonly status: string;
	readonly statusTone: Tone;
	/** Follows the status if there is room. */
	readonly counts: string;
};

const title = ' Switchboard';

/** Columns that the name of a profile keeps in any case. */
const shortestName = 6;

/** The first line: the profile and its service, and how fresh the list is. */
export const Header = ({width, profileName, profileMark, hostLabel, badges, status, statusTone, counts}: HeaderProps): ReactElement => {
	const badge = badges.map(text => ` ${text}`).join('');
	const right = counts === '' ? status : `${status} · ${counts}`;
	const profile = profileMark === undefined ? profileName : `${profileMark.sign} ${profileName}`;
	const candidates = [
		[title, `  ${profile}`, ` · ${hostLabel}${badge}`, right],
		['', ` ${profile}`, ` · ${hostLabel}${badge}`, right],
		['', ` ${profile}`, badge, right],
		['', ` ${profile}`, badge, status],
		// The status is worth more than the end of a name.
		['', cliTruncate(` ${profile}`, Math.max(shortestName, width - stringWidth(badge + status) - 3)), badge, status],
	] as const;
	const [start, name, rest, wanted] = candidates.find(parts => stringWidth(parts.join('')) + 3 <= width) ?? candidates.at(-1)!;
	const line = spread(start + name + rest, wanted, width - 1);
	const nameEnd = start.length + name.length;
	return (
		// The counts are not read out: they would repeat what each switch says.
		<StyledLine
			label={spokenText('Switchboard', `${profileName}${badge}`, hostLabel, status)}
			parts={[
				[line.left.slice(0, start.length), theme.title],
				[line.left.slice(start.length, nameEnd), profileMark === undefined ? theme.accent : {color: profileMark.color, bold: true}],
				[line.left.slice(nameEnd), theme.accent],
				[line.gap],
				[line.right.slice(0, status.length), theme[statusTone]],
				[line.right.slice(status.length), theme.secondary],
			]}
		/>
	);
};
