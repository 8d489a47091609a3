import {Buffer} from 'node:buffer';
import {lstatSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {SwitchboardError} from '../interface/errors.ts';
import {foreignOwner} from './file-owner.ts';
import {withFileLock} from './json-file.ts';
import {appendPrivateFile, ensurePrivateFolder, readPrivateBytes, tightenFile, writePrivateFile} from './private-files.ts';

/** How much is read at once, from the end of the file backwards. */
const pieceBytes = 256 * 1024;

const lineEnd = 0x0a;

/**
A private file of lines that several processes append to, each line whole under a lock. It is read backwards, piece by piece, and on from the
last byte that was read. A last line without an end is torn: its writer was killed.
*/
export class LineFile {
	readonly path: string;
	readonly #arePathsShown: boolean;
	/** Names the file rather than its path: it may be replaced. Empty until there is one. */
	#identity = '';
	/** The part that was read. */
	#start = 0;
	#end = 0;

	/** @param arePathsShown - false if messages must not tell where the file is. */
	constructor(file: string, arePathsShown: boolean) {
		this.path = file;
		this.#arePathsShown = arePathsShown;
	}

	/** Runs an action while no other process changes the file: at once, if none does now. */
	async locked(action: () => void): Promise<void> {
		ensurePrivateFolder(path.dirname(this.path));
		return withFileLock(`${this.path}.lock`, action);
	}

	/**
	Reads what was added since; the first time nothing, to go on backwards from the end.

	@returns `gone` if the file was there and is not now; `replaced` if it is another one, read from its end.
	@throws SwitchboardError if it cannot be used.
	*/
	readOn(): readonly string[] | 'gone' | 'replaced' {
		const found = this.#look();
		if (found === undefined) {
			return this.#identity === '' ? [] : 'gone';
		}

		const isOther = found.identity !== this.#identity || found.bytes < this.#end;
		if (isOther) {
			const wasThere = this.#identity !== '';
			const start = Math.max(0, found.bytes - pieceBytes);
			this.#identity = found.identity;
			this.#end = start + this.#read(start, found.bytes).lastIndexOf(lineEnd) + 1;
			this.#start = this.#end;
			return wasThere ? 'replaced' : [];
		}

		const bytes = this.#read(this.#end, found.bytes);
		const length = bytes.lastIndexOf(lineEnd) + 1;
		this.#end += length;
		return linesOf(bytes.subarray(0, length));
	}

	/** Reads the lines before those that were read, as many as come in one piece; empty at the beginning of the file. */
	readBack(): readonly string[] {
		for (let size = pieceBytes; this.#start > 0; size *= 2) {
			const from = Math.max(0, this.#start - size);
			const bytes = this.#read(from, this.#start);
			// The end of the line before is the first byte of a piece at the earliest.
			const first = from === 0 ? 0 : bytes.indexOf(lineEnd) + 1;
			if (from === 0 || (first > 0 && first < bytes.length)) {
				this.#start = from + first;
				return linesOf(bytes.subarray(first));
			}
		}

		return [];
	}

	/** Reads the lines of the whole file, without a torn one. */
	readAll(): readonly string[] {
		const bytes = this.#look()?.bytes ?? 0;
		return linesOf(this.#read(0, bytes));
	}

	append(lines: readonly string[]): void {
		const bytes = this.#look()?.bytes ?? 0;
		const isTorn = bytes > 0 && this.#read(bytes - 1, bytes)[0] !== lineEnd;
		tightenFile(this.path);
		appendPrivateFile(this.path, `${isTorn ? '\n' : ''}${textOf(lines)}`);
	}

	/** Puts these lines in the place of all. */
	rewrite(lines: readonly string[]): void {
		writePrivateFile(this.path, textOf(lines));
	}

	get bytes(): number {
		return this.#look()?.bytes ?? 0;
	}

	#read(start: number, end: number): Buffer {
		return end <= start ? Buffer.alloc(0) : (readPrivateBytes(this.path, end - start, [start, end]) ?? Buffer.alloc(0));
	}

	#look(): {readonly identity: string; readonly bytes: number} | undefined {
		const found = lstatSync(this.path, {throwIfNoEntry: false});
		if (found === undefined) {
			return undefined;
		}

		const unusable = (problem: string, nextStep?: string): SwitchboardError =>
			new SwitchboardError('refused', `${this.#arePathsShown ? this.path : 'its file'} ${problem}`, {nextStep});
		if (!found.isFile() || found.nlink > 1) {
			throw unusable(found.isFile() ? 'has a second name' : 'is not a regular file');
		}

		if (process.getuid !== undefined && found.uid !== process.getuid()) {
			const {reason, nextStep} = foreignOwner(this.path, found.uid);
			throw this.#arePathsShown ? unusable(reason.replace(/^it /, ''), nextStep) : unusable('belongs to another user');
		}

		return {identity: `${found.ino} ${found.birthtimeMs}`, bytes: found.size};
	}
}

const textOf = (lines: readonly string[]): string => lines.map(line => `${line}\n`).join('');

const linesOf = (bytes: Buffer): readonly string[] => bytes.toString('utf8').split('\n').filter(Boolean);
