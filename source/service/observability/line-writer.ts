import {type Writable} from 'node:stream';

/** What waits for a reader; more lines are dropped. */
const maximumWaitingLength = 256 * 1024;

/**
Writes lines to a stream whose reader may be slow, stand still or be gone: that neither slows the program nor fills its memory.
Lines that were dropped are counted, and the number is told when there is room again.

@param describeDropped - the line that tells how many lines are missing.
*/
export const createLineWriter = (stream: Writable, describeDropped: (count: number) => string): ((line: string) => void) => {
	let waiting: string[] = [];
	let waitingLength = 0;
	let droppedCount = 0;
	let isScheduled = false;

	const schedule = (): void => {
		if (isScheduled) {
			return;
		}

		isScheduled = true;
		// The lines of one turn are written together.
		setImmediate(write);
	};

	const write = (): void => {
		const [lines, dropped] = [waiting, droppedCount];
		const told = dropped === 0 ? lines : [...lines, describeDropped(dropped)];
		[waiting, waitingLength, droppedCount] = [[], 0, 0];
		stream.write(told.map(line => `${line}\n`).join(''), error => {
			isScheduled = false;
			if (error) {
				droppedCount += lines.length + dropped;
			}

			if (waiting.length > 0) {
				schedule();
			}
		});
	};

	return line => {
		if (waitingLength + line.length > maximumWaitingLength) {
			droppedCount++;
			return;
		}

		waiting.push(line);
		waitingLength += line.length;
		schedule();
	};
};
