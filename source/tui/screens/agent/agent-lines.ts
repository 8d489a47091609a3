import {type Agent} from '../../../interface/records.ts';
import {originalOf} from '../../hooks/agent-changes.ts';
import {textLines, type ScrollLine} from '../../widgets/scroll-text.tsx';

/** Lines longer than this are hard to read, however wide the terminal is. */
const maximumWidth = 100;

/** The columns of a prompt on the screen. */
export const promptWidth = (columns: number): number => Math.max(10, Math.min(maximumWidth, columns - 2));

/** The whole prompt of an agent, or why none is shown. */
export const promptLines = (agent: Agent, columns: number): readonly ScrollLine[] => agent.prompt.trim() === ''
	? [{text: originalOf(agent).prompt === undefined ? 'This service doesn\'t show the prompt.' : 'The prompt is empty.', tone: 'secondary'}]
	: textLines(agent.prompt, promptWidth(columns)).map(text => ({text}));

type AgentRows = {
	/** Rows for the abilities; 0 if there are none. */
	readonly list: number;
	/** True if there is an empty line between the two. */
	readonly hasGap: boolean;
	readonly prompt: number;
};

const roomyRows = 9;

/** Divides the rows below the title between abilities and prompt, each with a heading. Neither pushes the other off the screen. */
export const agentRowsOf = (bodyRows: number, abilityCount: number, promptCount: number): AgentRows => {
	const hasGap = bodyRows >= roomyRows;
	const room = Math.max(2, bodyRows - 2 - (hasGap ? 1 : 0));
	const list = Math.min(abilityCount, Math.max(Math.ceil(room / 2), room - promptCount));
	return {list, hasGap, prompt: Math.max(0, room - list)};
};
