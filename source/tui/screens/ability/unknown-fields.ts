import {cleanText} from '../../../interface/clean-text.ts';
import {stringifyJson, type JsonObject, type JsonValue} from '../../../interface/json.ts';
import {type ListedField} from '../../widgets/field-list-lines.ts';

const maximumLength = 2000;

const textOf = (value: JsonValue): string => {
	if (value === null || value === '') {
		return '–';
	}

	return typeof value === 'string' ? cleanText(value, maximumLength) : cleanText(stringifyJson(value, 0), maximumLength);
};

/**
What a service returned beside what the screens know: under its own names, cleaned. A known field counts as unknown where
nothing could be made of its value.

@param known - fields that are shown elsewhere, each with whether it could be read.
*/
export const unknownFields = (raw: JsonObject, known: Readonly<Record<string, boolean>>): readonly ListedField[] => {
	const isReadOf = new Map(Object.entries(known));
	return Object.entries(raw)
		.filter(([name, value]) => {
			const isEmpty = value === null || value === '' || (Array.isArray(value) && value.length === 0);
			return !isReadOf.has(name) || !(isReadOf.get(name) === true || isEmpty);
		})
		.map(([name, value]) => ({label: cleanText(name, 60) || '–', text: textOf(value)}));
};
