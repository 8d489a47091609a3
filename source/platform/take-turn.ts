const waiting: Array<() => void> = [];

/**
Resolves in a later turn of the event loop. Long jobs that take turns run one after another: however many there are, everything else waits
for only one part.
*/
export async function takeTurn(): Promise<void> {
	return new Promise(resolve => {
		waiting.push(resolve);
		if (waiting.length === 1) {
			setImmediate(goOn);
		}
	});
}

function goOn(): void {
	waiting.shift()?.();
	if (waiting.length > 0) {
		setImmediate(goOn);
	}
}
