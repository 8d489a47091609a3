import {SwitchboardError} from '../interface/errors.ts';
import {cleanName} from '../interface/records.ts';

type Named = {readonly id: number; readonly name: string};

/** What is looked for, in words for the person. */
export type Wanted = {
	/** As in `installed ability`. */
	readonly what: string;
	/** The command that lists them. */
	readonly listCommand: string;
	/** True where it was looked for to be changed: then the person is told that nothing was. */
	readonly isToChange: boolean;
};

const sameCase = (name: string): string => name.normalize('NFC').toLowerCase();

const candidatesShown = 8;

const listCandidates = (candidates: readonly Named[]): string => {
	const shown = candidates.slice(0, candidatesShown).map(({id, name}) => `${id} (${name})`);
	const left = candidates.length - shown.length;
	return shown.join(', ') + (left > 0 ? ` and ${left} more` : '');
};

/**
The record that a person means by an id, or by a name in any case; an id beats a name (`CONTRACT.md`, Commands).

@throws SwitchboardError `not-found`, or `ambiguous` with the candidates.
*/
export const findRecord = <Record_ extends Named>(records: readonly Record_[], word: string, {what, listCommand, isToChange}: Wanted): Record_ => {
	const consequence = isToChange ? ' Nothing was done.' : '';
	// Exactly as it is printed: “007” is a name.
	const byId = records.find(({id}) => String(id) === word);
	if (byId !== undefined) {
		return byId;
	}

	const wanted = sameCase(cleanName(word));
	const byName = records.filter(({name}) => sameCase(name) === wanted);
	if (byName.length > 1) {
		throw new SwitchboardError('ambiguous', `“${word}” is the name of several: ${listCandidates(byName)}.${consequence}`, {nextStep: 'Give the id instead.'});
	}

	if (byName[0] === undefined) {
		const near = records.filter(({name}) => wanted.length > 1 && sameCase(name).includes(wanted));
		throw new SwitchboardError('not-found', `There is no ${what} “${word}”.${consequence}`, {
			nextStep: near.length > 0 ? `Is one of these meant? ${listCandidates(near)}` : `See them with: ${listCommand}`,
		});
	}

	return byName[0];
};

/** The records that several words mean, each once, in the order of the words. All are found, or it throws. */
export const findRecords = <Record_ extends Named>(records: readonly Record_[], words: readonly string[], wanted: Wanted): readonly Record_[] => {
	const found = words.map(word => findRecord(records, word, wanted));
	return [...new Map(found.map(record => [record.id, record])).values()];
};
