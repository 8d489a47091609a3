import {cleanText} from '../../../interface/clean-text.ts';
import {stringifyJson, type JsonObject, type JsonValue} from '../../../interface/json.ts';
import {type DetailField} from '../../widgets/detail-lines.ts';

const maximumLength = 2000;

const textOf = (value: JsonValue): string => {
	if (value === null || value === '') {
		return '–';
	}

	return typeof value === 'string' ? cleanText(value, maximumLength) : cleanText(stringifyJson(value, 0), maximumLength);
};

/** A record as the service returned it. */
export type RawRecord = {
	/** Tells it from another record that has another value in the same field. */
	readonly label: string;
	readonly raw: JsonObject;
	/** Fields that are shown elsewhere; false if another value than this record's is shown. */
	readonly shown: Readonly<Record<string, boolean>>;
};

/** True for a value that says nothing. */
export const isEmptyValue = (value: JsonValue): boolean => value === null || value === '' || (Array.isArray(value) && value.length === 0);

/**
The fields of records that the screens do not show elsewhere: under the service's names, cleaned, each field once. If two
records differ in a field, both values are labelled.
*/
export const unknownFields = (records: readonly RawRecord[]): ReadonlyArray<Extract<DetailField, {readonly label: string}>> => {
	const left = records.flatMap(({label, raw, shown}) => {
		const isShownOf = new Map(Object.entries(shown));
		const others = records.filter(other => other.label !== label).map(other => other.raw);
		return Object.entries(raw)
			.filter(([name, value]) => !isShownOf.has(name) || !(isShownOf.get(name) === true || isEmptyValue(value)))
			.map(([name, value]) => {
				const text = textOf(value);
				const isLabelled = others.some(other => other[name] !== undefined && textOf(other[name]) !== text);
				return {label: (cleanText(name, 60) || '–') + (isLabelled ? ` (${label})` : ''), text};
			});
	});
	return [...new Map(left.map(field => [`${field.label}\n${field.text}`, field])).values()];
};
