/* eslint new-cap: ["error", {"capIsNewExceptionPattern": "^(?:Compile|validator\\.(?:Check|Errors))$"}] -- The validators of TypeBox begin with a capital. */
import type {FastifySchemaCompiler} from 'fastify';
import type {TSchema} from 'typebox';
import {Compile} from 'typebox/compile';
import {cleanText} from '../../interface/clean-text.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {isJsonObject} from '../../interface/json.ts';
import {storedTextProblem} from '../../interface/names.ts';

type ValidationError = {readonly keyword: string; readonly instancePath: string; readonly params: object; readonly message: string};

const names: Readonly<Record<string, string>> = {
	array: 'a list',
	boolean: 'a boolean (true or false)',
	integer: 'a whole number',
	number: 'a number',
	object: 'an object',
	string: 'a string',
	null: 'null',
};

const typeName = (type: unknown): string =>
	(Array.isArray(type) ? type : [type]).map(name => names[String(name)] ?? String(name)).join(' or ');

const listed = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/** Returns `/trigger_words/0` as `trigger_words[0]`. */
const fieldName = (pointer: string): string =>
	pointer
		.slice(1)
		.replaceAll(/\/(?<index>\d+)(?=\/|$)/g, '[$<index>]')
		.replaceAll('/', '.');

function describe(schema: TSchema, {keyword, instancePath, params, message}: ValidationError): SwitchboardError {
	const details = params as {readonly type?: unknown; readonly requiredProperties?: unknown; readonly allowedValues?: unknown};
	const field = fieldName(instancePath);
	if (keyword === 'required') {
		const [missing = ''] = listed(details.requiredProperties);
		return new SwitchboardError('refused', `The field ${missing} is required.`, {field: missing});
	}

	if (field === '') {
		const {required, anyOf: [first] = []} = schema as {
			readonly required?: unknown;
			readonly anyOf?: ReadonlyArray<{readonly required?: unknown}>;
		};
		const needed = listed(required ?? first?.required);
		const ending = needed.length === 0 ? '' : ` with the field ${needed.join(' and the field ')}`;
		return new SwitchboardError('refused', `The body must be a JSON object${ending}.`);
	}

	// The only patterns are for the digits of a number, and the only lower limits are for something at all.
	const problems: Readonly<Record<string, string>> = {
		type: `must be ${typeName(details.type)}`,
		pattern: 'must be a positive whole number',
		enum: `must be one of ${listed(details.allowedValues).join(', ')}`,
		minLength: 'must not be empty',
		minItems: 'must not be empty',
	};
	return new SwitchboardError('refused', `The field ${field} ${problems[keyword] ?? message}.`, {field});
}

/**
Returns the problem with the first text in a value that cannot be stored, including the names of fields. It does not recurse, because a body
may be nested deeply.
*/
function findTextProblem(value: unknown): string | undefined {
	const remaining: unknown[] = [value];
	while (remaining.length > 0) {
		const next = remaining.pop();
		if (typeof next === 'string') {
			const problem = storedTextProblem(next);
			if (problem !== undefined) {
				return problem;
			}
		} else if (Array.isArray(next)) {
			for (const inner of next as readonly unknown[]) {
				remaining.push(inner);
			}
		} else if (isJsonObject(next)) {
			for (const [name, inner] of Object.entries(next)) {
				remaining.push(name, inner);
			}
		}
	}

	return undefined;
}

/** Returns the error for a body with text that cannot be stored; it names the field if the body has such fields. */
function describeText(body: unknown): SwitchboardError | undefined {
	const problem = findTextProblem(body);
	if (problem === undefined) {
		return undefined;
	}

	const [field] = Object.entries(isJsonObject(body) ? body : {}).find(([, value]) => findTextProblem(value) !== undefined) ?? [];
	return field === undefined
		? new SwitchboardError('refused', `The body ${problem}.`)
		: new SwitchboardError('refused', `The field ${cleanText(field, 100)} ${problem}.`, {field});
}

/** Converts the identifiers in a path. Anything but a positive whole number is not found. */
function convertIdentifiers(parameters: unknown): {value: object} | {error: Error} {
	const entries = Object.entries(isJsonObject(parameters) ? parameters : {});
	const isEveryOneAnId = entries.every(
		([, text]) => typeof text === 'string' && /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)),
	);
	return isEveryOneAnId
		? {value: Object.fromEntries(entries.map(([name, text]) => [name, Number(text)]))}
		: {error: new SwitchboardError('not-found', 'Not found: an id must be a positive whole number.')};
}

/**
Checks a request against the schema of its route, without converting values in a body: a validator that converts `null` to `false` would
switch an ability off. The error names the field.
*/
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({schema, httpPart, contentType}) => {
	// A form is not parsed yet: its route checks the parts.
	if (contentType === 'multipart/form-data') {
		return () => true;
	}

	if (httpPart === 'params') {
		return convertIdentifiers;
	}

	const validator = Compile(schema);
	return (value: unknown) => {
		if (validator.Check(value)) {
			const error = describeText(value);
			return error === undefined ? {value} : {error};
		}

		const [first] = validator.Errors(value);
		return {
			error: first === undefined ? new SwitchboardError('refused', 'The body is not valid for this endpoint.') : describe(schema, first),
		};
	};
};
