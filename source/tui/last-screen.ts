import {isDeepStrictEqual} from 'node:util';
import type {ShownScreen} from './app-context.ts';
import {resourceKeys, type SeenList} from './hooks/list-cache.ts';
import type {ServiceSession} from './hooks/service-session.ts';
import {screenIdentity, type IdentityOptions} from './paint-last-screen.ts';
import type {AppState} from './state/app-state.ts';
import {screenNames, type SortColumn} from './state/view.ts';
import {savedViewOf} from './views.ts';
import {drawFrames} from '../terminal/frame-writer.ts';

export type LastScreenKeeper = ReturnType<typeof createLastScreenKeeper>;

/** A screen is stored once nothing else was drawn for this long: storing costs as much as drawing, also while a key is held down. */
const restMilliseconds = 800;

/** Sort columns that switching a row changes. */
const unsteadyColumns: ReadonlySet<SortColumn> = new Set(['state', 'changed']);

type Candidate = ShownScreen & {readonly frame: string; readonly lists: Readonly<Record<string, unknown>>};

/** Keeps the screen in a file beside the lists last seen, so that the next start can show it before the UI is loaded. */
export function createLastScreenKeeper(identity: Pick<IdentityOptions, 'isReadOnly' | 'env' | 'capabilities'>) {
	let lastFrame = '';
	let candidate: Candidate | undefined;
	let stored: Candidate | undefined;
	/** Its file without the drawings, so that an unchanged screen is not stored again and again. */
	let storedContent = '';
	let timer: NodeJS.Timeout | undefined;
	/** Resolves when the file is written: of two simultaneous writes, the older could win. */
	let saving: Promise<void> | undefined;

	const store = async (): Promise<void> => {
		clearTimeout(timer);
		timer = undefined;
		await saving;
		if (candidate === undefined || candidate === stored || !isCurrent(candidate)) {
			return;
		}

		stored = candidate;
		const {session, state, header, frame: lines} = candidate;
		const {size} = state;
		const now = Date.now();
		const frames = [now, Infinity].map(each => header(each) + lines.slice(lines.indexOf('\n'))) as [string, string];
		const content = JSON.stringify([session.id, session.account.profileName, size, frames, savedViewOf(state)]);
		if (content === storedContent) {
			return;
		}

		storedContent = content;
		const drawings = drawFrames(frames, {size, capabilities: identity.capabilities}) as [string, string];
		saving = session.records.saveScreen({
			identity: screenIdentity({...identity, profileName: session.account.profileName, size}),
			day: new Date(now).toDateString(),
			frame: frames[0],
			drawing: drawings[0],
			dated: {frame: frames[1], drawing: drawings.join('')},
			view: savedViewOf(state),
		});
		await saving;
	};

	return {
		/** Called with each frame. */
		handleFrame(next: string): void {
			lastFrame = next;
		},
		/** Called with each list screen as it is drawn; the next start has the last one. */
		handleScreen(screen: ShownScreen): void {
			if (!isLasting(screen)) {
				return;
			}

			candidate = {...screen, frame: lastFrame, lists: {...listsOf(screen.session), [screen.state.screen]: screen.records}};
			clearTimeout(timer);
			timer = setTimeout(() => {
				void store();
			}, restMilliseconds);
		},
		/** Stores the screen if its lists and cursor are as they were left; otherwise none is stored. */
		async close(state: AppState): Promise<void> {
			await store();
			if (stored === undefined || !isCurrent(stored) || !isDeepStrictEqual(savedViewOf(stored.state), savedViewOf(state))) {
				candidate?.session.records.removeScreen();
			}
		},
	};
}

/** False once a list has changed: the lists for the next run then differ from the screen. */
function isCurrent({session, lists}: Candidate): boolean {
	const now = listsOf(session);
	return screenNames.every(name => now[name] === lists[name]);
}

const listsOf = ({records: {queryClient}}: ServiceSession): Readonly<Record<string, unknown>> =>
	Object.fromEntries(screenNames.map(name => [name, queryClient.getQueryData<SeenList<unknown>>(resourceKeys.list(name))?.records]));

/**
Tells whether the next start will show these rows and this cursor: nothing is open, asked, marked, changed elsewhere, failed or under way,
and switched rows stay in their place.
*/
function isLasting({
	session,
	state: {screen, views, overlays, messages, leaving, progress, sentence, isSentenceOpen},
}: ShownScreen): boolean {
	const {filter, sort, isFilterOpen, isSortOpen, marks, range} = views[screen];
	const {signs} = session.changes.outside.getState();
	return (
		overlays.length === 0 &&
		messages.shown === undefined &&
		leaving === undefined &&
		progress === undefined &&
		sentence === '' &&
		!isSentenceOpen &&
		!isFilterOpen &&
		!isSortOpen &&
		marks.size === 0 &&
		range === undefined &&
		!/is:/i.test(filter) &&
		!unsteadyColumns.has(sort.column) &&
		session.changes.queue.intents('installed', 'enabled').size === 0 &&
		session.changes.switching.getFailures().size === 0 &&
		screenNames.every(name => signs[name].size === 0)
	);
}
