import {Buffer} from 'node:buffer';
import {copyFileSync, existsSync, renameSync, statSync} from 'node:fs';
import path from 'node:path';
import {SwitchboardError} from '../interface/errors.ts';
import {isJsonObject, type JsonObject} from '../interface/json.ts';
import {withFileLock} from './file-lock.ts';
import {explainFileError, type FileProblem} from './file-owner.ts';
import {ensurePrivateFolder, isNoRoom, readPrivateFile, tightenFile, writePrivateFile} from './private-files.ts';

/** The content of a file, and its damage if some of its entries were left out: a clause, such as “2 of 9”. */
export type Decoded<Content> = {readonly content: Content; readonly damage?: string | undefined};

type KeptFileOptions<Content> = {
	/** The content, in the plural, such as “presets”. */
	readonly name: string;
	readonly file: string;
	/** 1 if it is left out; then it is not written either. */
	readonly version?: number;
	/** A larger file counts as broken. */
	readonly maximumBytes: number;
	/** The content of a file that does not exist. */
	readonly empty: Content;
	/** Returns `undefined` if nothing in the file is usable. */
	readonly decode: (value: JsonObject) => Decoded<Content> | undefined;
	readonly encode: (content: Content) => JsonObject;
	/** False if messages must not tell where the file is. */
	readonly arePathsShown?: boolean | undefined;
	/** Called with a sentence when the file was set aside, or cannot be. */
	readonly note?: (notice: string) => void;
	/** The next step once the whole file was set aside. */
	readonly afterSetAside?: string;
	/** Returns the target if the file may be a link; any other link is refused. */
	readonly follow?: (file: string) => string;
	/** Returns how to write the file, if it is not written as JSON of mode 0600. */
	readonly openWriter?: () => Promise<(value: JsonObject) => void>;
};

/**
Returns a JSON file that is kept between runs and that several processes may change at once. A broken file, or a copy of one with broken
entries, is set aside before anything is written in its place. A file of a newer version is neither read nor written.
*/
export function keptFile<Content>({name, file, empty, decode, encode, maximumBytes, ...options}: KeptFileOptions<Content>) {
	const {version, arePathsShown = true, note, afterSetAside, follow, openWriter} = options;
	const where = arePathsShown ? ` in ${file}` : '';
	/** The content as far as this run knows it, should another program break the file. */
	let last = empty;

	const failure = (problem: string, error: unknown): SwitchboardError => fileFailure(problem, error, {file, arePathsShown});

	const cannotBeSetAside = (found: Decoded<Content> | undefined, error: unknown): SwitchboardError =>
		failure(
			`${found === undefined ? `The ${name} file is` : `Some ${name} are`} not valid, and ${arePathsShown ? file : 'the file'} cannot be set aside`,
			error,
		);

	/** The content of the file as it is now; `undefined` if the whole file is broken. */
	const look = (): Decoded<Content> | undefined => {
		let value: JsonObject | undefined;
		try {
			const target = follow?.(file) ?? file;
			const text = readPrivateFile(target, maximumBytes);
			if (text === undefined && !existsSync(target)) {
				return {content: empty};
			}

			if (text === undefined && !statSync(target).isFile()) {
				throw new Error('it is not a regular file');
			}

			value = parseObject(text);
		} catch (error) {
			throw failure(`The ${name}${where} cannot be read`, error);
		}

		if (Number(value?.['version'] ?? 0) > (version ?? 1)) {
			throw new SwitchboardError('refused', `The ${name}${where} are of a newer version of Switchboard.`, {
				nextStep: arePathsShown ? 'Use that version, or move the file away.' : undefined,
			});
		}

		const decoded = value && decode(value);
		last = decoded?.content ?? last;
		return decoded;
	};

	const peek = (): Content => look()?.content ?? last;

	/** Changes the content while no other process does, after repairing the file. */
	const change = async (next: (content: Content) => Content): Promise<void> => {
		ensurePrivateFolder(path.dirname(file));
		const write = (await openWriter?.()) ?? ((value: JsonObject) => writePrivateFile(file, objectText(value)));
		const store = (content: Content): void => {
			const value = {...(version !== undefined && {version}), ...encode(content)};
			if (Buffer.byteLength(objectText(value)) > maximumBytes) {
				throw new SwitchboardError('too-large', `All ${name} together would take more than ${maximumBytes / 1024 / 1024} MB.`, {
					nextStep: 'Delete what is no longer needed.',
				});
			}

			write(value);
			last = content;
		};

		const repair = (): Content => {
			const found = look();
			if (found !== undefined && found.damage === undefined) {
				return found.content;
			}

			let aside = '';
			try {
				aside = setAside(file, found !== undefined);
			} catch (error) {
				throw cannotBeSetAside(found, error);
			}

			const shownAside = arePathsShown ? ` as ${aside}` : '';
			if (found === undefined) {
				note?.([`The ${name} file is not valid and was set aside${shownAside}.`, afterSetAside].filter(Boolean).join(' '));
				return last;
			}

			store(found.content);
			note?.(`Some ${name} are not valid and were removed (${found.damage}). The original file was set aside${shownAside}.`);
			return found.content;
		};

		await withFileLock(`${file}.lock`, () => {
			const content = repair();
			const changed = next(content);
			if (changed !== content) {
				store(changed);
			}
		});
	};

	return {
		/**
		Returns the content; a broken file stays as it is, and counts as it was when it was last read.
		@throws SwitchboardError if it cannot be read.
		*/
		peek,
		/**
		Returns the content, after a broken file was set aside and a note was made.
		@throws SwitchboardError if it cannot be read.
		*/
		async read(): Promise<Content> {
			const found = look();
			if (found === undefined || found.damage !== undefined) {
				try {
					await change(content => content);
				} catch (error) {
					note?.(cannotBeSetAside(found, error).message);
				}
			}

			return peek();
		},
		/**
		Replaces the content, from the one that the file has now; writes nothing if the same one is returned.
		@throws SwitchboardError if it cannot be read or written, or is too large.
		*/
		async change(next: (content: Content) => Content): Promise<void> {
			try {
				await change(next);
			} catch (error) {
				throw failure(arePathsShown ? `${file} cannot be written` : `The ${name} cannot be written`, error);
			}
		},
	};
}

/** Parses the text of a file; `undefined` if it is not a JSON object: empty, half-written or something else. */
export function parseObject(text: string | undefined): JsonObject | undefined {
	try {
		const value: unknown = JSON.parse(text ?? '');
		return isJsonObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** Returns a JSON object as the text of a file that a person may edit. */
const objectText = (value: JsonObject): string => `${JSON.stringify(value, undefined, '\t')}\n`;

/**
Sets a broken file aside, under a name beside it with the time in it.

@param isCopied - true if the file itself stays in place, because parts of it are usable.
@returns the name.
@throws the error of the file system.
*/
function setAside(file: string, isCopied: boolean): string {
	const aside = `${file}.broken-${new Date().toISOString().replaceAll(/[.:]/g, '-')}`;
	if (isCopied) {
		copyFileSync(file, aside);
		tightenFile(aside);
	} else {
		renameSync(file, aside);
	}

	return aside;
}

type FileErrorOptions = {
	readonly file?: string | undefined;
	/** False if messages must not tell where the file is. */
	readonly arePathsShown?: boolean | undefined;
};

/**
Returns the reason why a file cannot be used.

@param options.file - its path; by default the path in the error.
*/
export function fileProblem(error: unknown, {file, arePathsShown = true}: FileErrorOptions = {}): FileProblem {
	if (error instanceof SwitchboardError) {
		return {reason: error.message.replace(/\.$/, ''), nextStep: error.nextStep};
	}

	if (isNoRoom(error)) {
		return {reason: 'the disk is full'};
	}

	return arePathsShown
		? explainFileError(error, file)
		: {reason: error instanceof Error && 'code' in error ? String(error.code) : 'an unexpected error'};
}

/** Returns the error for a file that cannot be used; an error that is a sentence for the person already stays as it is. */
export function fileFailure(problem: string, error: unknown, options: FileErrorOptions = {}): SwitchboardError {
	if (error instanceof SwitchboardError) {
		return error;
	}

	const {reason, nextStep} = fileProblem(error, options);
	return new SwitchboardError(isNoRoom(error) ? 'no-room' : 'unexpected', `${problem}: ${reason}.`, {
		nextStep: isNoRoom(error) ? 'Make room on it, then try again.' : nextStep,
		cause: error,
	});
}
