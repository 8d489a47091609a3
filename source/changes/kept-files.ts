import {createHash} from 'node:crypto';
import {readdirSync, rmSync, statSync} from 'node:fs';
import path from 'node:path';
import {isMissing, readPrivateBytes, writePrivateFile} from '../platform/private-files.ts';

type KeptFile = {readonly name: string; readonly bytes: number; readonly at: number};

/** A folder of private files, each once under the hash of its content: the long texts and the zips that changes replaced. */
export class KeptFiles {
	readonly #folder: string;
	readonly #maximumBytes: number;

	constructor(folder: string, maximumBytes: number) {
		this.#folder = folder;
		this.#maximumBytes = maximumBytes;
	}

	/**
	Stores a file.

	@returns its name.
	@throws the error of the file system.
	*/
	keep(content: string | Uint8Array): string {
		const name = createHash('sha256').update(content).digest('hex');
		// Written again, it counts as new.
		writePrivateFile(path.join(this.#folder, name), content);
		return name;
	}

	/** Reads a file; `undefined` if it is gone, or somebody else changed it. */
	read(name: string): Buffer | undefined {
		try {
			const content = /^[\da-f]{64}$/.test(name) ? readPrivateBytes(path.join(this.#folder, name), this.#maximumBytes) : undefined;
			return content !== undefined && createHash('sha256').update(content).digest('hex') === name ? content : undefined;
		} catch {
			return undefined;
		}
	}

	/** Returns the files, the newest first. */
	list(): readonly KeptFile[] {
		try {
			return readdirSync(this.#folder)
				.map(name => {
					const found = statSync(path.join(this.#folder, name), {throwIfNoEntry: false});
					return {name, bytes: found?.size ?? 0, at: found?.mtimeMs ?? 0};
				})
				.toSorted((first, second) => second.at - first.at);
		} catch (error) {
			if (isMissing(error)) {
				return [];
			}

			throw error;
		}
	}

	/** Returns true if they take more than they may. */
	areTooLarge(): boolean {
		return this.list().reduce((sum, {bytes}) => sum + bytes, 0) > this.#maximumBytes;
	}

	/** Removes all files but the first of these that fit together. */
	keepOnly(names: Iterable<string>): void {
		const files = new Map(this.list().map(({name, bytes}) => [name, bytes]));
		let left = this.#maximumBytes;
		for (const name of new Set(names)) {
			left -= files.get(name) ?? 0;
			if (left >= 0) {
				files.delete(name);
			}
		}

		for (const name of files.keys()) {
			rmSync(path.join(this.#folder, name), {force: true});
		}
	}
}
