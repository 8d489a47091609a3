import stringWidth from 'string-width';
import {wrapText} from '../../widgets/wrap.ts';

/** The abilities that a save would add to an agent and remove from it, by name. */
type TieChanges = {readonly added: readonly string[]; readonly removed: readonly string[]};

/**
@param before - the ids of the agent's abilities.
@param marks - the ids of the chosen ones.
*/
export const tieChangesOf = (before: readonly number[], marks: ReadonlySet<number>, items: ReadonlyArray<{readonly id: number; readonly name: string}>): TieChanges => {
	const tied = new Set(before);
	const names = new Map(items.map(({id, name}) => [id, name]));
	return {
		added: items.filter(({id}) => marks.has(id) && !tied.has(id)).map(({name}) => name),
		removed: [...tied].filter(id => !marks.has(id)).map(id => names.get(id) ?? `#${id}`),
	};
};

/** At most `count` names after a sign. */
const signedNames = (sign: string, names: readonly string[], count: number): string => {
	const shown = names.slice(0, count);
	const rest = names.length - shown.length;
	return names.length === 0 ? '' : `${sign} ${[...shown, ...(rest === 0 ? [] : [`${rest} ${shown.length === 0 ? 'abilities' : 'more'}`])].join(', ')}`;
};

/** The unsaved changes, such as `+ pantry  - nightwatch`, with as many names as fit. */
export const tieChangesLines = ({added, removed}: TieChanges, width: number, height: number): readonly string[] => {
	const linesWith = (count: number): readonly string[] => {
		const parts = [signedNames('+', added, count), signedNames('-', removed, count)].filter(text => text !== '');
		return stringWidth(parts.join('  ')) <= width ? [parts.join('  ')] : parts.flatMap(text => wrapText(text, width));
	};

	if (added.length + removed.length === 0) {
		return [];
	}

	let count = Math.max(added.length, removed.length);
	while (count > 0 && linesWith(count).length > height) {
		count--;
	}

	return linesWith(count).slice(0, height);
};
