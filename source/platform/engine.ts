import module from 'node:module';
import v8 from 'node:v8';

/*
V8 lets a heap grow to several times its contents before it collects, so as to collect rarely: right for programs that run
hard for a short time. The terminal UI waits for keys for hours, often on a small machine that others use as well, and a key
makes little garbage. These flags take effect whenever they are set.
*/
const smallHeap = [
	// The young generation keeps its size instead of growing to 64 MB, which was most of the memory of a long list.
	'--semi-space-growth-factor=1',
	// The old generation is collected when it has grown by a fifth.
	'--heap-growing-percent=20',
	// The optimizing compiler takes memory and processor time for itself; for a key, Maglev's code is as fast.
	'--no-turbofan',
] as const;

/** The defaults. */
const fastHeap = ['--semi-space-growth-factor=2', '--heap-growing-percent=0', '--turbofan'] as const;

/**
Keeps the memory of this process and its threads small, from now on: what has grown stays as it is. Called before the code is
loaded, it would save 4 MB more and slow every start by a tenth.
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

/** Gives up the small heap if a list is too long for it. */
export function makeRoomForList(recordCount: number): void {
	if (recordCount > maximumRecords) {
		setFlags(fastHeap);
	}
}

/** By then what a start needs was compiled, and nobody waits for it. */
const delayMilliseconds = 2000;

/**
Stores compiled code soon, not at the end alone: a session that is cut off would leave none, and the next start would compile
everything again. What is stored already is not stored again.
*/
export function flushCompileCacheSoon(): void {
	setTimeout(() => module.flushCompileCache(), delayMilliseconds).unref();
}
