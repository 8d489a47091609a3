import module from 'node:module';
import v8 from 'node:v8';

/*
V8 lets a heap grow to several times its contents so that it rarely has to collect: right for programs that work hard for a short time. The
terminal UI waits for keys for hours, often on a small shared machine, and a key makes little garbage. These flags take effect whenever they
are set.
*/
const smallHeap = [
	// The young generation keeps its size instead of growing to 64 MB, which was most of the memory of a long list.
	'--semi-space-growth-factor=1',
	// The old generation is collected after growing by a fifth.
	'--heap-growing-percent=20',
	// The optimizing compiler takes memory and processor time for itself; for a key, Maglev's code is as fast.
	'--no-turbofan',
] as const;

const fastHeap = ['--semi-space-growth-factor=2', '--heap-growing-percent=0', '--turbofan'] as const;

/**
Keeps the memory of this process and its threads small from now on, but does not shrink it. Calling this before the code is loaded would
save 4 MB more and slow every start by a tenth.
*/
export function keepHeapSmall(): void {
	setFlags(smallHeap);
}

function setFlags(flags: readonly string[]): void {
	for (const flag of flags) {
		v8.setFlagsFromString(flag);
	}
}

/** Filtering a longer list makes so much garbage that it would take three times as long in a small heap. */
const maximumRecords = 20_000;

/** Switches the small heap off if a list is too long for it. */
export function makeRoomForList(recordCount: number): void {
	if (recordCount > maximumRecords) {
		setFlags(fastHeap);
	}
}

/** By then the code for a start is compiled, and nobody waits for it. */
const delayMilliseconds = 2000;

/**
Stores compiled code soon, not only at the end: a session that is cut off would leave none, and the next start would compile everything
again. Stored code is not stored again.
*/
export function flushCompileCacheSoon(): void {
	setTimeout(() => module.flushCompileCache(), delayMilliseconds).unref();
}
