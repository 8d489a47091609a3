import {cleanText} from '../../interface/clean-text.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../interface/json.ts';
import type {ListState} from './list-state.ts';
import {parseFilter} from '../../interface/filter.ts';
import {type ScreenName, screenNames, type Screens, type Sort, type View} from './view.ts';
import {sortColumns} from './sort.ts';

/** A list as it was left. Marks are not saved: their purpose would be forgotten. */
type LeftView = Pick<View, 'list' | 'filter' | 'sort'>;

/** The screens of a profile as they were left; unknown parts are missing. */
export type SavedView = {
	readonly screen?: ScreenName;
	/** Of the program rather than of the profile. */
	readonly isPaneOpen?: boolean | undefined;
	readonly views: Readonly<Partial<Record<ScreenName, LeftView>>>;
};

/** Nobody types a longer filter. */
const maximumFilterLength = 500;

const maximumRow = 1_000_000;

export const toScreenName = (value: unknown): ScreenName | undefined => screenNames.find(name => name === value);

const toStored = ({list: {cursorId, cursorRow, topRow}, filter, sort: {column, isReversed}}: View): JsonObject => ({
	...(cursorId !== undefined && {cursorId}),
	cursorRow,
	topRow,
	filter,
	sort: column,
	isReversed,
});

export const savedViewOf = ({screen, views, isPaneOpen}: Screens & {readonly isPaneOpen: boolean}): JsonObject => ({
	screen,
	isPaneOpen,
	...Object.fromEntries(screenNames.map(name => [name, toStored(views[name])])),
});

const toRow = (value: unknown): number => (Number.isSafeInteger(value) ? Math.min(maximumRow, Math.max(0, value as number)) : 0);

const toList = ({cursorId, cursorRow, topRow}: JsonObject): ListState => ({
	cursorId: Number.isSafeInteger(cursorId) ? (cursorId as number) : undefined,
	cursorRow: toRow(cursorRow),
	topRow: toRow(topRow),
});

/** A filter for what is marked, failed or was changed would hide everything in a new session. */
const toFilter = ({filter}: JsonObject): string => {
	const text = typeof filter === 'string' ? cleanText(filter, maximumFilterLength) : '';
	const {dependsOnMarks, dependsOnEvents} = parseFilter(text);
	return dependsOnMarks || dependsOnEvents ? '' : text;
};

const toSort = ({sort, isReversed}: JsonObject, name: ScreenName): Sort => {
	const column = sortColumns[name].find(each => each === sort);
	return {column: column ?? 'none', isReversed: column !== undefined && isReversed === true};
};

/** The valid parts of what was stored: another program may have changed the file. */
export const readSavedView = (value: JsonValue | undefined): SavedView => {
	if (!isJsonObject(value)) {
		return {views: {}};
	}

	const screen = toScreenName(value['screen']);
	const views = screenNames.flatMap(name => {
		const view = Object.hasOwn(value, name) ? value[name] : undefined;
		return isJsonObject(view) ? [[name, {list: toList(view), filter: toFilter(view), sort: toSort(view, name)}] as const] : [];
	});
	const {isPaneOpen} = value;
	return {...(screen !== undefined && {screen}), ...(typeof isPaneOpen === 'boolean' && {isPaneOpen}), views: Object.fromEntries(views)};
};
