import {type Ability, type Agent} from '../../../interface/records.ts';
import {originalOf} from '../../hooks/agent-changes.ts';
import {textLines, type ScrollLine} from '../../widgets/scroll-text.tsx';
import {wrapText} from '../../widgets/wrap.ts';

export type KnownAbilities = {
	/** `undefined` where they are not read yet, or could not be. */
	readonly records: readonly Ability[] | undefined;
	readonly isUnreadable: boolean;
};

const label = 'Abilities';

/** Lines longer than this are hard to read, however wide the terminal is. */
const maximumWidth = 100;

const tiesText = ({abilityIds}: Agent, {records, isUnreadable}: KnownAbilities): string => {
	if (abilityIds === undefined) {
		return 'not shown by this service';
	}

	if (abilityIds.length === 0) {
		return 'none';
	}

	const names = new Map(records?.map(({id, name}) => [id, name]));
	const list = abilityIds.map(id => names.get(id) ?? `#${id}`).join(', ');
	return records === undefined ? `${list} (${isUnreadable ? 'their names could not be read' : 'reading their names…'})` : list;
};

/** What is shown of an agent below its name: the abilities tied to it by name, then its whole prompt. */
export const agentLines = (agent: Agent, abilities: KnownAbilities, columns: number): readonly ScrollLine[] => {
	const width = Math.max(10, Math.min(maximumWidth, columns - 2));
	const indentation = ' '.repeat(label.length + 2);
	const ties = wrapText(tiesText(agent, abilities), width - indentation.length);
	const prompt: readonly ScrollLine[] = agent.prompt.trim() === ''
		? [{text: originalOf(agent).prompt === undefined ? 'This service does not show the prompt.' : 'The prompt is empty.', tone: 'secondary'}]
		: textLines(agent.prompt, width).map(text => ({text}));
	return [
		...ties.map((text, index): ScrollLine => ({text: index === 0 ? `${label}  ${text}` : indentation + text, tone: 'secondary'})),
		{text: ''},
		...prompt,
	];
};
