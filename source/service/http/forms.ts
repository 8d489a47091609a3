import type {Buffer} from 'node:buffer';
import {once} from 'node:events';
import multipart, {type MultipartFile} from '@fastify/multipart';
import type {FastifyInstance, FastifyRequest} from 'fastify';
import {abilityLimits, formatBytes} from '../../interface/ability-package/limits.ts';
import {cleanText} from '../../interface/clean-text.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {storedTextProblem} from '../../interface/names.ts';

export type Form = {
	/** The values of each field, in the order sent. */
	readonly fields: ReadonlyMap<string, readonly string[]>;
	readonly files: ReadonlyMap<string, Buffer>;
};

const fieldBytes = 1024 * 1024;

const headroomBytes = 2 * 1024 * 1024;

/** No form of the interface is larger. */
const formBytes = abilityLimits.zipBytes + abilityLimits.imageBytes + headroomBytes;

/** For all text of a form: the longest prompt and the ids of all abilities, with room to spare. */
const textBytes = 2 * 1024 * 1024;

/** Lets the routes of the scope accept forms (RFC 7578). */
export async function acceptForms(app: FastifyInstance): Promise<void> {
	await app.register(multipart, {
		throwFileSizeLimit: false,
		limits: {
			fieldNameSize: 100,
			fieldSize: fieldBytes,
			// One field for each ability of an agent.
			fields: 2000,
			fileSize: abilityLimits.zipBytes,
			files: 4,
			parts: 2010,
			headerPairs: 50,
		},
	});
}

/** In bytes, by the name of the field. Other files are ignored. */
type FileLimits = Readonly<Record<string, number>>;

/**
Returns the form in a request.

@throws SwitchboardError `refused` if it is damaged, `too-large` if a part is too large.
*/
export async function readForm(request: FastifyRequest, fileLimits: FileLimits = {}): Promise<Form> {
	if (Number(request.headers['content-length'] ?? 0) > formBytes) {
		throw largeForm();
	}

	try {
		return await Promise.race([readParts(request, fileLimits), refuseEndlessForm(request)]);
	} catch (error) {
		// The form reader's own errors have a status; its parser's errors do not.
		const isTranslated = error instanceof SwitchboardError || (error instanceof Error && 'statusCode' in error);
		throw isTranslated ? error : new SwitchboardError('refused', 'The form is damaged or incomplete.', {cause: error});
	}
}

const largeForm = (): SwitchboardError =>
	new SwitchboardError(
		'too-large',
		`The form is too large: a zip may be at most ${formatBytes(abilityLimits.zipBytes)}, an image ${formatBytes(abilityLimits.imageBytes)}.`,
	);

async function readParts(request: FastifyRequest, fileLimits: FileLimits): Promise<Form> {
	const fields = new Map<string, string[]>();
	const files = new Map<string, Buffer>();
	let textLength = 0;
	try {
		for await (const part of request.parts()) {
			if (part.type === 'file') {
				await readFile(part, fileLimits, files);
				continue;
			}

			const text = withPlainLineBreaks(String(part.value));
			textLength += text.length;
			if (part.valueTruncated || textLength > textBytes) {
				throw tooLarge(cleanText(part.fieldname, 100), fieldBytes);
			}

			refuseDamagedText(part.fieldname, part.value);
			const values = fields.get(part.fieldname) ?? [];
			values.push(text);
			fields.set(part.fieldname, values);
		}
	} catch (error) {
		await discardRest(request);
		throw error;
	}

	return {fields, files};
}

/** Reads a file to its end, whatever its size: an unread file would hold up the parts after it. */
async function readFile(part: MultipartFile, limits: FileLimits, files: Map<string, Buffer>): Promise<void> {
	const {fieldname, filename} = part;
	const limitBytes = limits[fieldname];
	const bytes = await part.toBuffer();
	// For a file that was not chosen, a browser sends a file without a name and content.
	if (limitBytes === undefined || (bytes.length === 0 && !filename)) {
		return;
	}

	if (part.file.truncated || bytes.length > limitBytes) {
		throw tooLarge(fieldname, limitBytes);
	}

	if (files.has(fieldname)) {
		throw repeated(fieldname);
	}

	files.set(fieldname, bytes);
}

const tooLarge = (field: string, size: number): SwitchboardError =>
	new SwitchboardError('too-large', `The field ${field} is too large: it may be at most ${formatBytes(size)}.`, {field});

const repeated = (field: string): SwitchboardError =>
	new SwitchboardError('refused', `The field ${field} was sent more than once.`, {field});

/**
Undoes a change by `FormData`, which sends every line break of a field as CRLF (WHATWG HTML, multipart/form-data encoding): saving a prompt
must not change it.
*/
const withPlainLineBreaks = (text: string): string => text.replaceAll('\r\n', '\n');

/** Refuses text with U+FFFD, which the form reader puts in place of bytes that are not text: storing it would silently change the text. */
function refuseDamagedText(name: string, value: unknown): void {
	const field = cleanText(name, 100);
	const text = `${name}${String(value)}`;
	const problem =
		typeof value === 'object'
			? 'must be a text'
			: text.includes('\u{FFFD}')
				? 'is not valid UTF-8, or contains the replacement character U+FFFD'
				: storedTextProblem(text);
	if (problem !== undefined) {
		throw new SwitchboardError('refused', `The field ${field} ${problem}.`, {field});
	}
}

/** Reads the rest before the answer is sent, and drops it: a client that is still sending would not see the answer. */
async function discardRest({raw}: FastifyRequest): Promise<void> {
	raw.unpipe();
	raw.resume();
	if (!raw.readableEnded && !raw.destroyed) {
		await Promise.race([once(raw, 'end'), once(raw, 'close')]);
	}
}

/** Rejects as soon as more bytes have arrived than any form has, because a form in chunks may have no end. The rest is dropped. */
const refuseEndlessForm = async ({raw}: FastifyRequest): Promise<never> =>
	new Promise((_resolve, reject) => {
		let arrivedBytes = 0;
		raw.on('data', ({length}: Buffer) => {
			arrivedBytes += length;
			if (arrivedBytes <= formBytes) {
				return;
			}

			raw.unpipe();
			raw.resume();
			reject(largeForm());
		});
	});

/**
Returns the value of a field; `undefined` if the form has none.

@throws SwitchboardError `refused` if it has several.
*/
export function formText({fields}: Form, name: string): string | undefined {
	const values = fields.get(name) ?? [];
	if (values.length > 1) {
		throw repeated(name);
	}

	return values[0];
}

/**
Returns the bytes of a file; `undefined` if the form has none.

@throws SwitchboardError `refused` if the field is not a file.
*/
export function formFile({fields, files}: Form, name: string): Buffer | undefined {
	if (fields.has(name)) {
		throw new SwitchboardError('refused', `The field ${name} must be a file.`, {field: name});
	}

	return files.get(name);
}
