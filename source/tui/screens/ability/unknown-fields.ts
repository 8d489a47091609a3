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
	/** What it is called where another record has something else in the same field. */
	readonly label: string;
	readonly raw: JsonObject;
	/** Fields that are shown elsewhere, each with whether that shows the value of this record. */
	readonly shown: Readonly<Record<string, boolean>>;
};

/** True for what stands for nothing at all. */
export const isEmptyValue = (value: JsonValue): boolean => value === null || value === '' || (Array.isArray(value) && value.length === 0);

/**
What a service returned beside what the screens show: under its own names, cleaned, each field once. Where two records
have different values in it, each is named.
*/
export const unknownFields = (records: readonly RawRecord[]): ReadonlyArray<Extract<DetailField, {readonly label: string}>> => {
	const left = records.flatMap(({label, raw, shown}) => {
		const isShownOf = new Map(Object.entries(shown));
		const others = records.filter(other => other.label !== label).map(other => other.raw);
		return Object.entries(raw)
			.filter(([name, value]) => !isShownOf.has(name) || !(isShownOf.get(name) === true || isEmptyValue(value)))
			.map(([name, value]) => {
				const text = textOf(value);
				const isDisputed = others.some(other => other[name] !== undefined && textOf(other[name]) !== text);
				return {label: (cleanText(name, 60) || '–') + (isDisputed ? ` (${label})` : ''), text};
			});
	});
	return [...new Map(left.map(field => [`${field.label}\n${field.text}`, field])).values()];
};
