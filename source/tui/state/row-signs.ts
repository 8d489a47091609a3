import {problemMark} from './severity.ts';

/** The signs of a row, for the help. */
export const rowSigns: ReadonlyArray<{readonly sign: string; readonly description: string}> = [
	{sign: '–', description: 'the ability is not installed'},
	{sign: '?', description: 'the service does not show it'},
	{sign: '~', description: 'the service has not confirmed the change yet'},
	{sign: '*', description: 'the row is marked'},
	{sign: problemMark, description: 'the last change failed'},
	{sign: '^', description: 'it was changed elsewhere'},
];
