import {Buffer} from 'node:buffer';
import multipart, {type MultipartFile} from '@fastify/multipart';
import {type FastifyInstance, type FastifyRequest} from 'fastify';
import {abilityLimits, formatBytes} from '../../interface/ability-package/limits.ts';
import {SwitchboardError} from '../../interface/errors.ts';

/** What a `multipart/form-data` body held. */
export type Form = {
	/** The values of each field, in the order in which they came. */
	readonly fields: ReadonlyMap<string, readonly string[]>;
	readonly files: ReadonlyMap<string, Buffer>;
};

/** Files by the name of their field, each with the bytes that it may come to. What is not among them is passed over. */
export type FileLimits = Readonly<Record<string, number>>;

const fieldBytes = 1024 * 1024;
const headroomBytes = 2 * 1024 * 1024;

/** No form of the interface comes to more. */
const formBytes = abilityLimits.zipBytes + abilityLimits.imageBytes + headroomBytes;

const tooLarge = (field: string, size: number): SwitchboardError =>
	new SwitchboardError('too-large', `${field} is too large: it may be at most ${formatBytes(size)}.`, {field});

const repeated = (field: string): SwitchboardError => new SwitchboardError('refused', `The field ${field} is there more than once.`, {field});

/** Says no to a form that is too large before any of it is sent; its parts are counted when they come. */
const refuseLargeForm = async (request: FastifyRequest): Promise<void> => {
	if (Number(request.headers['content-length'] ?? 0) > formBytes && /^multipart\/form-data/i.test(request.headers['content-type'] ?? '')) {
		throw new SwitchboardError('too-large', `The form is too large: a zip may be at most ${formatBytes(abilityLimits.zipBytes)}, an image ${formatBytes(abilityLimits.imageBytes)}.`);
	}
};

/** Lets the routes of the scope take forms (RFC 7578). */
export const takeForms = async (app: FastifyInstance): Promise<void> => {
	app.addHook('onRequest', refuseLargeForm);
	await app.register(multipart, {
		throwFileSizeLimit: false,
		limits: {
			fieldNameSize: 100,
			fieldSize: fieldBytes,
			// One for each ability of an agent.
			fields: 2000,
			fileSize: abilityLimits.zipBytes,
			files: 4,
			parts: 2010,
			headerPairs: 50,
		},
	});
};

/** Reads a file to its end whatever its size: what nobody reads would hold up the parts behind it. */
const readFile = async ({fieldname, file}: MultipartFile, limits: FileLimits, files: Map<string, Buffer>): Promise<void> => {
	const limitBytes = limits[fieldname];
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of file as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (limitBytes !== undefined && size <= limitBytes) {
			chunks.push(chunk);
		}
	}

	if (limitBytes === undefined) {
		return;
	}

	if (file.truncated || size > limitBytes) {
		throw tooLarge(fieldname, limitBytes);
	}

	if (files.has(fieldname)) {
		throw repeated(fieldname);
	}

	files.set(fieldname, Buffer.concat(chunks));
};

/**
Line breaks of a field are CRLF on the wire, whatever they were before: that is how `FormData` sends them (WHATWG HTML,
multipart/form-data encoding). A prompt must not change by being saved.
*/
const withPlainLineBreaks = (text: string): string => text.replaceAll('\r\n', '\n');

const readParts = async (request: FastifyRequest, fileLimits: FileLimits): Promise<Form> => {
	const fields = new Map<string, string[]>();
	const files = new Map<string, Buffer>();
	let refusal: Error | undefined;
	for await (const part of request.parts()) {
		// The rest is read before the answer is given: a client that still sends would not see it.
		try {
			if (part.type === 'file') {
				await readFile(part, fileLimits, files);
			} else if (part.valueTruncated) {
				throw tooLarge(part.fieldname, fieldBytes);
			} else {
				fields.set(part.fieldname, [...fields.get(part.fieldname) ?? [], withPlainLineBreaks(String(part.value))]);
			}
		} catch (error) {
			refusal ??= error instanceof Error ? error : new Error(String(error));
		}
	}

	if (refusal !== undefined) {
		throw refusal;
	}

	return {fields, files};
};

/**
The form that a request carries.

@throws SwitchboardError `refused` where it is damaged, `too-large` where a part is.
*/
export const readForm = async (request: FastifyRequest, fileLimits: FileLimits = {}): Promise<Form> => {
	try {
		return await readParts(request, fileLimits);
	} catch (error) {
		// The form reader's own refusals have a status; what its parser throws does not.
		const isTranslated = error instanceof SwitchboardError || (error instanceof Error && 'statusCode' in error);
		throw isTranslated ? error : new SwitchboardError('refused', 'The form is damaged or was cut off.', {cause: error});
	}
};

/**
The value of a field; `undefined` where the form has none.

@throws SwitchboardError `refused` where it has several.
*/
export const formText = ({fields}: Form, name: string): string | undefined => {
	const values = fields.get(name) ?? [];
	if (values.length > 1) {
		throw repeated(name);
	}

	return values[0];
};

/**
The bytes of a file; `undefined` where the form has none.

@throws SwitchboardError `refused` where there is a text in its place.
*/
export const formFile = ({fields, files}: Form, name: string): Buffer | undefined => {
	if (fields.has(name)) {
		throw new SwitchboardError('refused', `The field ${name} must be a file.`, {field: name});
	}

	return files.get(name);
};
