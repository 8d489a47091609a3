import {fold} from '../../interface/match.ts';
import type {PaletteEntry} from './palette-entries.ts';

/** How well an entry matches the typed text; lower is better. */
export const grades = {name: 0, folded: 1, start: 2, synonym: 3, words: 4, beginnings: 5, other: 6} as const;

export function nameGrade(name: string, typed: string, folded = fold(name)): number {
	if (name === typed) {
		return grades.name;
	}

	const wanted = fold(typed);
	return folded === wanted ? grades.folded : folded.startsWith(wanted) ? grades.start : grades.other;
}

/** Returns the words of an entry's name and synonyms, each between spaces. */
export function wordsOf({name, synonyms: others}: PaletteEntry): string {
	return ` ${fold([name, ...others].join(' ')).replaceAll(/[^\p{Letter}\p{Mark}\p{Number}!]+/gu, ' ')} `;
}

type GradedTexts = {readonly folded: string; readonly words: string; readonly typed: string; readonly wanted: readonly string[]};

/** Grades an entry by its name or key, by whole words, by their beginnings, or in another way. A name of a record may be longer. */
export function gradeOf(
	{name, ownName, keys, synonyms: others, record}: PaletteEntry,
	{folded, words, typed, wanted}: GradedTexts,
): number {
	const grade = nameGrade(name, typed, folded);
	// `m` and `M` are two keys.
	if (grade <= grades.folded || [ownName, ...keys.split(', ')].includes(typed)) {
		return Math.min(grade, grades.folded);
	}

	if (record !== undefined && grade === grades.start) {
		return grade;
	}

	if (others.includes(typed)) {
		return grades.synonym;
	}

	if (wanted.every(word => words.includes(` ${word} `))) {
		return grades.words;
	}

	return wanted.every(word => words.includes(` ${word}`)) ? grades.beginnings : grades.other;
}
