import {isJsonObject, type JsonObject, type JsonValue} from '../interface/json.ts';
import {type Answer} from './answer.ts';

/** What the service says is wrong, and with which input field. Both are as they came: not yet fit for a screen. */
export type Complaint = {readonly message: string; readonly field?: string | undefined};

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

const firstText = (value: JsonValue | undefined): string | undefined =>
	[value, ...(Array.isArray(value) ? value as readonly JsonValue[] : [])].find(item => isText(item));

/**
`{"detail": [{"loc": ["body", "name"], "msg": "…"}]}`, as services that check bodies with a schema say it, and
`{"errors": [{"field": "name", "message": "…"}]}`.
*/
const fromList = (details: readonly unknown[]): Complaint | undefined => {
	for (const detail of details) {
		const message = isJsonObject(detail) ? [detail['msg'], detail['message'], detail['detail']].find(text => isText(text)) : undefined;
		if (isJsonObject(detail) && message !== undefined) {
			const location: unknown = Array.isArray(detail['loc']) ? detail['loc'].at(-1) : detail['field'];
			return {message, field: isText(location) ? location : undefined};
		}
	}

	const texts = details.filter(detail => isText(detail));
	return texts.length === 0 ? undefined : {message: texts.join('; ')};
};

/** Names that are none of an input's fields. */
const fieldlessNames = new Set(['non_field_errors', '__all__', 'status', 'code', 'result', 'reason', 'success']);

/** `{"name": ["This field is required."]}`, or a text in place of the list where nothing else stands beside it. */
const fromFieldTexts = (body: JsonObject): Complaint | undefined => {
	const entries = Object.entries(body);
	for (const [field, value] of entries) {
		const message = Array.isArray(value) || entries.length === 1 ? firstText(value) : undefined;
		if (message !== undefined) {
			return {message, field: fieldlessNames.has(field) ? undefined : field};
		}
	}

	return undefined;
};

const maximumDepth = 3;

const fromObject = (body: JsonObject, depth = 0): Complaint | undefined => {
	const {detail, error, errors} = body;
	const field = isText(body['field']) ? body['field'] : undefined;
	if (isText(detail)) {
		return {message: detail, field};
	}

	for (const inner of [detail, error, errors]) {
		const complaint = Array.isArray(inner)
			? fromList(inner)
			: (isJsonObject(inner) && depth < maximumDepth ? fromObject(inner, depth + 1) : undefined);
		if (complaint !== undefined) {
			return complaint;
		}
	}

	const message = [error, body['message'], body['msg'], body['title']].find(text => isText(text));
	return message === undefined ? fromFieldTexts(body) : {message, field};
};

/** True where the body carries this code, beside its sentence or within its `error` (`LIVE-SERVICE.md`, Errors). */
export const hasCode = (answer: Answer, code: string): boolean => {
	const body = answer.json();
	return isJsonObject(body) && [body, body['error']].some(place => isJsonObject(place) && place['code'] === code);
};

const isPlainText = ({headers, text}: Answer): boolean =>
	/^text\/plain\b/i.test(headers['content-type'] ?? '') && text.length <= 500 && isText(text) && !text.trimStart().startsWith('<');

/** What the service says is wrong, from any of the error bodies seen (`LIVE-SERVICE.md`, Errors, and its relatives). */
export const findComplaint = (answer: Answer): Complaint | undefined => {
	const body = answer.json();
	if (isJsonObject(body)) {
		return fromObject(body);
	}

	return isPlainText(answer) ? {message: answer.text} : undefined;
};
