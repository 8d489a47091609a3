import {parseFilter} from '../../interface/filter.ts';
import {fold} from '../../interface/match.ts';
import type {UiServices} from '../app-context.ts';
import {withDeadline} from '../observable.ts';
import type {ServiceSession} from '../hooks/service-session.ts';
import type {Toggle} from '../hooks/use-resource.ts';
import {createRowFilter} from '../state/rows.ts';
import {nothingFindable, paletteEntries, readFindable, searchFor, type PaletteEntries, type PaletteEntry} from './palette-entries.ts';
import {gradeOf, grades, wordsOf} from './palette-grades.ts';
import {createVerbs} from './palette-verbs.ts';

/** Finds entries for the typed text; the texts of the records are prepared once. */
export function createFinder(entries: PaletteEntries, {ui, session}: {readonly ui: UiServices; readonly session: ServiceSession}) {
	const chooseRows = createRowFilter();
	const texts = entries.map(entry => ({folded: fold(entry.name), words: wordsOf(entry)}));
	const withVerbs = createVerbs(entries, {ui, session});

	return (filter: string) => {
		const text = filter.trim();
		if (text === '') {
			return {found: entries.filter(({record}) => record === undefined), only: undefined, highlight: parseFilter('').highlight(false)};
		}

		const rows = chooseRows(entries, searchFor(filter));
		const {words: wanted, highlight} = parseFilter(filter);
		const byVerbs = withVerbs(text);
		const byGrade = Map.groupBy(
			rows.ids.filter(id => !entries[id]!.isElsewhere),
			id => gradeOf(entries[id]!, {...texts[id]!, typed: text, wanted}),
		);
		const ofGrade = (grade: number): readonly PaletteEntry[] => (byGrade.get(grade) ?? []).map(id => entries[id]!);
		const found = [...byVerbs.map(({entry}) => entry), ...Object.values(grades).flatMap(ofGrade)];
		const exact = [grades.name, grades.folded]
			.map(grade => [...byVerbs.filter(each => each.grade === grade).map(({entry}) => entry), ...ofGrade(grade)])
			.find(({length}) => length > 0);
		const fitting = exact ?? found;
		return {
			found,
			/** The entry that is meant if only one fits: by its whole name or key, or else at all. */
			only: fitting.length === 1 ? fitting[0] : undefined,
			highlight: highlight(rows.isFuzzy),
		};
	};
}

/** A list that takes longer is left out: the key should not seem to be dead. */
const patienceMilliseconds = 2000;

/** Runs what a line of the palette means, if only one thing fits it; else opens the palette with the line. */
export async function runPaletteLine(
	text: string,
	{ui, session, toggle}: {readonly ui: UiServices; readonly session: ServiceSession; readonly toggle: Toggle},
): Promise<void> {
	let findable = nothingFindable;
	const read = readFindable(ui, session, more => {
		findable = {...findable, ...more};
	});
	await withDeadline(read, patienceMilliseconds);
	const entries = paletteEntries(ui, {...findable, screen: ui.store.getState().screen, session});
	const {only} = createFinder(entries, {ui, session})(text);
	if (only === undefined) {
		ui.store.dispatch({type: 'open', overlay: {kind: 'palette', text}});
	} else {
		only.run(toggle);
	}
}
