import {problemMark} from './severity.ts';
/** What the signs of a row say, for the help: in the words of the README. */
export const rowSigns: ReadonlyArray<{readonly sign: string; readonly description: string}> = [
	{sign: '–', description: 'the ability is not installed'},
	{sign: '?', description: 'the service does not show it'},
	{sign: '~', description: 'the service has not confirmed the change yet'},
	{sign: '*', description: 'the row is marked'},
	{sign: problemMark, description: 'the last change failed'},
	{sign: '^', description: 'it was changed elsewhere'},
];
