import {Buffer} from 'node:buffer';
import {type PackageFile, writeZip} from '../../source/interface/ability-package/write-zip.ts';

/** Contents by path; a string means its UTF-8 bytes. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

const toPackage = (files: Files): readonly PackageFile[] =>
	Object.entries(files).map(([path, content]) => ({path, bytes: Buffer.from(content as string)}));

/** A zip of the files, with these paths. */
export async function zipOf(files: Files): Promise<Buffer> {
	return writeZip(toPackage(files));
}

/** The files of a small ability, in the top-level folder of an upload. */
export const lampFiles: Files = {
	'lamps/main.py': 'class Lamps:\n    pass\r\n',
	'lamps/__init__.py': '',
	'lamps/sounds/click.mp3': Uint8Array.from({length: 3000}, (_, index) => (index * 37) % 256),
};

/** A one-pixel picture. */
export const pngBytes = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	'base64',
);

type Values = Readonly<Record<string, string | Uint8Array | readonly string[] | undefined>>;

/** A form; bytes become a file, several values several fields, `undefined` none. */
export function formOf(values: Values): FormData {
	const form = new FormData();
	for (const [name, value] of Object.entries(values)) {
		if (value instanceof Uint8Array) {
			form.append(name, new Blob([Buffer.from(value)]), `${name}.bin`);
		} else {
			for (const text of typeof value === 'string' ? [value] : (value ?? [])) {
				form.append(name, text);
			}
		}
	}

	return form;
}

/** The upload of a small ability, with some fields changed, or omitted if `undefined`. */
export async function uploadForm(changes: Values = {}): Promise<FormData> {
	return formOf({
		zip_file: await zipOf(lampFiles),
		name: 'lamps',
		description: 'Switches the lamps.',
		category: 'skill',
		trigger_words: 'lamps on, lamps off',
		...changes,
	});
}
