import {isDeepStrictEqual} from 'node:util';
import {cleanText} from '../interface/clean-text.ts';
import {parseFilter} from '../interface/filter.ts';
import {counted} from '../interface/format-count.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../interface/json.ts';
import type {Records, Resource} from '../interface/records.ts';
import {localProfileName, unnamedProfile} from '../settings/profile.ts';
import type {Settings} from '../settings/settings.ts';
import type {UiStateStore} from '../settings/ui-state.ts';
import {resourceKeys, type SeenList} from './hooks/list-cache.ts';
import type {ServiceSession} from './hooks/service-session.ts';
import type {StateStore} from './observable.ts';
import type {AppAction, AppState} from './state/app-state.ts';
import {sortColumns} from './state/sort.ts';
import {screenNames, shownParts, type LeftScreens, type ScreenName, type Screens, type ShownParts, type View} from './state/view.ts';

/** Services given only by address come and go, so their views are not kept forever. */
const maximumViews = 50;

/** More marks are easily made again with one key. */
const maximumMarks = 2000;

type ViewsOptions = {
	readonly uiState: UiStateStore;
	readonly store: StateStore<AppState, AppAction>;
	/** `undefined` over SSH, where nobody signs out. */
	readonly settings: Pick<Settings, 'profiles'> | undefined;
	say(level: 'info', text: string): void;
};

/**
The state in which the screens of each service were left, stored with the UI's state by profile and address. Each window stores only the
parts that it has changed, so that the parts of other windows stay. A profile that has moved to another address has other records, so its
old view does not apply.
*/
export class Views {
	readonly #options: ViewsOptions;
	/** The view of the current service as it was restored, with the marks of lists that were not read since. */
	#before: JsonObject = {};

	constructor(options: ViewsOptions) {
		this.#options = options;
	}

	/** Shows a service as it was left, or in the given view; a service that was never shown opens on the screen that was last left. */
	restore(session: ServiceSession, given?: JsonObject): void {
		const {uiState, store} = this.#options;
		const stored = uiState.read();
		const view = objectOf(objectOf(stored['profiles'])[nameOf(session)]);
		store.dispatch({type: 'restore', left: readSavedView(given ?? {...stored, ...view, parts: stored['parts'] ?? partsBefore(stored)})});
		const {leftAt} = view;
		session.changes.lastVisit.endedAt = typeof leftAt === 'number' ? leftAt : undefined;
		const marks = Object.entries(view).filter(([, part]) => areFreshMarks(part, session));
		this.#before = {...savedViewOf(store.getState()), ...Object.fromEntries(marks)};
	}

	/** Stores the present view of the current service; at once for this run. */
	async keep(session: ServiceSession): Promise<void> {
		const state = this.#options.store.getState();
		const marks = screenNames.map(screen => {
			const records = session.records.seen(screen)?.filter(({id}) => state.views[screen].marks.has(id)) ?? [];
			const marked = Object.fromEntries(records.slice(0, maximumMarks).map(({id, name}) => [id, name]));
			const names = {...objectOf(objectOf(this.#before[marksPart(screen)])['names']), ...marked};
			return [marksPart(screen), {account: session.account.id, at: Date.now(), names}] as const;
		});
		const left = marks.filter(([, {names}]) => Object.keys(names).length > 0);
		await this.#store(session, {...savedViewOf(state), leftAt: Date.now(), ...Object.fromEntries(left)});
	}

	/** Marks the rows of a list that were marked when its service was left, once the list is read. */
	restoreMarks(session: ServiceSession, resource: Resource): void {
		const {store, say} = this.#options;
		const {names} = objectOf(this.#before[marksPart(resource)]);
		const list = session.records.queryClient.getQueryData<SeenList<Records[Resource]>>(resourceKeys.list(resource));
		if (!isJsonObject(names) || list === undefined || list.isFromEarlierRun === true) {
			return;
		}

		void this.#store(session, {...this.#before, [marksPart(resource)]: null});
		// Services reuse ids, so a record must have its name as well.
		const ids = list.records.filter(({id, name}) => names[id] === name).map(({id}) => id);
		if (ids.length > 0) {
			store.dispatch({type: 'change-view', screen: resource, change: {marks: store.getState().views[resource].marks.union(new Set(ids))}});
			const goneCount = Object.keys(names).length - ids.length;
			const gone = goneCount === 0 ? '' : ` ${counted(goneCount, 'other')} no longer ${goneCount === 1 ? 'exists' : 'exist'}.`;
			const [are, them] = ids.length === 1 ? ['is', 'it'] : ['are', 'them'];
			say('info', `${counted(ids.length, 'row')} ${are} marked, as you left ${them}.${gone}`);
		}
	}

	/**
	Stores the parts of a view that have changed since it was shown; nothing for a profile that was signed out. If all views together are
	too long, only this one.
	*/
	async #store(session: ServiceSession, view: JsonObject): Promise<void> {
		const {uiState, store} = this.#options;
		const {screen, parts} = store.getState();
		const changed = Object.entries(view).filter(([part, value]) => !isDeepStrictEqual(value, this.#before[part]));
		const isSignedOut = this.#isSignedOut(session);
		this.#before = view;
		const isStored = async (count: number): Promise<boolean> =>
			uiState.update(stored => {
				const {[nameOf(session)]: other, ...others} = objectOf(stored['profiles']);
				const own = [nameOf(session), {...view, ...objectOf(other), ...Object.fromEntries(changed)}] as const;
				// The newest last.
				const views = [...Object.entries(others), ...(isSignedOut ? [] : [own])].slice(-count);
				return {...stored, screen, parts, profiles: Object.fromEntries(views)};
			});
		if (!(await isStored(maximumViews))) {
			await isStored(1);
		}
	}

	#isSignedOut({account: {profileName}}: ServiceSession): boolean {
		const {settings} = this.#options;
		try {
			const isNamed = profileName !== localProfileName && profileName !== unnamedProfile;
			return settings !== undefined && isNamed && settings.profiles().find(({name}) => name === profileName)?.apiKey === undefined;
		} catch {
			// Settings that cannot be read do not count.
			return false;
		}
	}
}

const nameOf = ({account: {profileName, hostLabel}}: ServiceSession): string => `${profileName} ${hostLabel}`;

const objectOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** Version 1.0 stored whether any parts were shown. */
const partsBefore = ({isPaneOpen}: JsonObject): ShownParts => (isPaneOpen === false ? 'none' : 'both');

const marksPart = (screen: ScreenName): string => `${screen} marks`;

/** Nobody types a longer filter. */
const maximumFilterLength = 500;

/** Returns the state of the screens as JSON. */
export function savedViewOf({screen, views, parts}: Screens & {readonly parts: ShownParts}): JsonObject {
	return {screen, parts, ...Object.fromEntries(screenNames.map(name => [name, toStored(views[name])]))};
}

const toStored = ({list: {cursorId, cursorRow, topRow}, filter, sort: {column, isReversed}}: View): JsonObject => ({
	...(cursorId !== undefined && {cursorId}),
	cursorRow,
	topRow,
	filter,
	sort: column,
	isReversed,
});

/** Reads the valid parts of a stored view, because another program may have changed the file. */
export function readSavedView(value: JsonValue | undefined): LeftScreens {
	if (!isJsonObject(value)) {
		return {views: {}};
	}

	const parts = shownParts.find(each => each === value['parts']);
	const screen = toScreenName(value['screen']);
	const views = screenNames.flatMap(name => {
		const view = value[name];
		return isJsonObject(view) ? [[name, toLeft(view, name)] as const] : [];
	});
	return {...(screen !== undefined && {screen}), ...(parts !== undefined && {parts}), views: Object.fromEntries(views)};
}

function toLeft({cursorId, cursorRow, topRow, filter, sort, isReversed}: JsonObject, name: ScreenName): LeftScreens['views'][ScreenName] {
	const text = typeof filter === 'string' ? cleanText(filter, maximumFilterLength) : '';
	const {dependsOnMarks, dependsOnEvents} = parseFilter(text);
	const column = sortColumns[name].find(each => each === sort);
	return {
		list: {cursorId: Number.isSafeInteger(cursorId) ? (cursorId as number) : undefined, cursorRow: toRow(cursorRow), topRow: toRow(topRow)},
		// A filter for marked, failed or changed rows would hide everything in a new session.
		filter: dependsOnMarks || dependsOnEvents ? '' : text,
		sort: {column: column ?? 'none', isReversed: column !== undefined && isReversed === true},
	};
}

const toScreenName = (value: unknown): ScreenName | undefined => screenNames.find(name => name === value);

const toRow = (value: unknown): number => (Number.isSafeInteger(value) ? Math.min(1_000_000, Math.max(0, value as number)) : 0);

/** Tells whether a part of a view has marks that were left recently, with the same key: another key may belong to another account. */
function areFreshMarks(part: JsonValue, {account: {id}}: ServiceSession): boolean {
	const {account, at} = objectOf(part);
	return account === id && typeof at === 'number' && at <= Date.now() && Date.now() - at < 24 * 60 * 60 * 1000;
}
