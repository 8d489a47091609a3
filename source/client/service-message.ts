import {isJsonObject, type JsonObject, type JsonValue} from '../interface/json.ts';
import {type Answer} from './answer.ts';

/** A service's own error message, and the input field that it is about. Neither has been cleaned for a screen. */
type ServiceMessage = {readonly text: string; readonly field?: string | undefined};

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

const firstText = (value: JsonValue | undefined): string | undefined =>
	[value, ...(Array.isArray(value) ? value as readonly JsonValue[] : [])].find(item => isText(item));

/**
`{"detail": [{"loc": ["body", "name"], "msg": "…"}]}`, from services that check bodies with a schema, and
`{"errors": [{"field": "name", "message": "…"}]}`.
*/
const fromList = (details: readonly unknown[]): ServiceMessage | undefined => {
	for (const detail of details) {
		const text = isJsonObject(detail) ? [detail['msg'], detail['message'], detail['detail']].find(value => isText(value)) : undefined;
		if (isJsonObject(detail) && text !== undefined) {
			const location: unknown = Array.isArray(detail['loc']) ? detail['loc'].at(-1) : detail['field'];
			return {text, field: isText(location) ? location : undefined};
		}
	}

	const texts = details.filter(detail => isText(detail));
	return texts.length === 0 ? undefined : {text: texts.join('; ')};
};

/** Keys that are not input fields. */
const fieldlessNames = new Set(['non_field_errors', '__all__', 'status', 'code', 'result', 'reason', 'success']);

/** `{"name": ["This field is required."]}`, or a text in place of the list if it is the only entry. */
const fromFieldTexts = (body: JsonObject): ServiceMessage | undefined => {
	const entries = Object.entries(body);
	for (const [field, value] of entries) {
		const text = Array.isArray(value) || entries.length === 1 ? firstText(value) : undefined;
		if (text !== undefined) {
			return {text, field: fieldlessNames.has(field) ? undefined : field};
		}
	}

	return undefined;
};

const maximumDepth = 3;

const fromObject = (body: JsonObject, depth = 0): ServiceMessage | undefined => {
	const {detail, error, errors} = body;
	const field = isText(body['field']) ? body['field'] : undefined;
	if (isText(detail)) {
		return {text: detail, field};
	}

	for (const inner of [detail, error, errors]) {
		const message = Array.isArray(inner)
			? fromList(inner)
			: (isJsonObject(inner) && depth < maximumDepth ? fromObject(inner, depth + 1) : undefined);
		if (message !== undefined) {
			return message;
		}
	}

	const text = [error, body['message'], body['msg'], body['title']].find(value => isText(value));
	return text === undefined ? fromFieldTexts(body) : {text, field};
};

/** True if the body has this code, at the top or within its `error` (`LIVE-SERVICE.md`, Errors). */
export const hasCode = (body: JsonObject, code: string): boolean =>
	[body, body['error']].some(part => isJsonObject(part) && part['code'] === code);

const isPlainText = ({headers, text}: Answer): boolean =>
	/^text\/plain\b/i.test(headers['content-type'] ?? '') && text.length <= 500 && isText(text) && !text.trimStart().startsWith('<');

/** Finds the service's own error message in any of the known error bodies (`LIVE-SERVICE.md`, Errors, and similar ones). */
export const findServiceMessage = (answer: Answer): ServiceMessage | undefined => {
	const body = answer.json();
	if (isJsonObject(body)) {
		return fromObject(body);
	}

	return isPlainText(answer) ? {text: answer.text} : undefined;
};
