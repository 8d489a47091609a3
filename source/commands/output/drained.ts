import {once} from 'node:events';
import process from 'node:process';
import {setImmediate as nextTurn} from 'node:timers/promises';

/**
Resolves once standard output takes more, and a signal had its turn. Between the parts of a long output: a reader that is slow, or
stands still, then leaves little in memory, and a signal finds the command in its midst.
*/
export const drained = async (): Promise<void> => {
	if (process.stdout.writableNeedDrain) {
		await once(process.stdout, 'drain');
	} else {
		await nextTurn();
	}
};
