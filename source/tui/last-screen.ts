import {isDeepStrictEqual} from 'node:util';
import {type Capabilities, type Environment} from './terminal/capabilities.ts';
import {resourceKeys, type SeenList} from './hooks/list-cache.ts';
import {type ServiceSession} from './hooks/service-session.ts';
import {screenIdentity} from './screen-identity.ts';
import {type ShownScreen} from './app-context.ts';
import {type AppState} from './state/app-state.ts';
import {savedViewOf} from './state/saved-view.ts';
import {screenNames, type ScreenName, type SortColumn} from './state/view.ts';
import {type Row} from './terminal/cells.ts';
import {drawFrames} from './terminal/frame-writer.ts';

/** Keeps the screen for the next start. */
export type LastScreenKeeper = {
	/** Called with each list screen as it is drawn; the next start has the last one. */
	handleScreen(screen: ShownScreen): void;
	/** Called with each frame. */
	handleFrame(frame: string): void;
	/** Stores the screen if its lists and cursor are as they were left; else there is none. */
	close(state: AppState): Promise<void>;
};

type LastScreenKeeperOptions = {
	readonly isReadOnly: boolean;
	readonly env: Environment;
	readonly capabilities: Capabilities;
};

/** A screen is stored this long after it was drawn, or after the one before: cursor keys may come in quick succession. */
const delayMilliseconds = 800;

/** Sort columns that switching a row changes. */
const unsteadyColumns: ReadonlySet<SortColumn> = new Set(['state', 'changed']);

/** True if the next start shows the same rows and cursor: nothing is open, asked, marked, changed elsewhere, failed or under way, and a row that is switched stays in its place. */
const isLasting = ({session, state: {screen, views, isPaneOpen, overlays, messages, leaving, progress}}: ShownScreen): boolean => {
	const {filter, sort, isFilterOpen, isSortOpen, marks, range} = views[screen];
	const {signs} = session.outside.getState();
	return isPaneOpen && overlays.length === 0 && messages.shown === undefined && leaving === undefined && progress === undefined
		&& !isFilterOpen && !isSortOpen && marks.size === 0 && range === undefined
		&& !/is:/i.test(filter) && !unsteadyColumns.has(sort.column)
		&& session.toggles.getIntents().size === 0 && session.switching.getFailures().size === 0 && screenNames.every(name => signs[name].size === 0);
};

const listsOf = ({queryClient}: ServiceSession): Readonly<Record<ScreenName, unknown>> => {
	const recordsOf = (name: ScreenName): unknown => queryClient.getQueryData<SeenList<unknown>>(resourceKeys.list(name))?.records;
	return {agents: recordsOf('agents'), abilities: recordsOf('abilities'), installed: recordsOf('installed')};
};

type Headers = {readonly header: ShownScreen['header']; readonly day: string; readonly lines: readonly [string, string]};

type Candidate = ShownScreen & {readonly frame: string; readonly lists: ReturnType<typeof listsOf>};

/** Keeps the screen in a file beside the lists last seen, so that the next start can show it before the UI is loaded. */
export const createLastScreenKeeper = ({isReadOnly, env, capabilities}: LastScreenKeeperOptions): LastScreenKeeper => {
	let lastFrame = '';
	let candidate: Candidate | undefined;
	let stored: Candidate | undefined;
	let timer: NodeJS.Timeout | undefined;
	/** The first line for a start on this day and on another one. */
	let headers: Headers | undefined;
	const knownRows = new Map<string, Row>();

	/** False once a list was changed: the lists for the next run are no longer those of the screen. */
	const isCurrent = ({session, lists}: Candidate): boolean => {
		const now = listsOf(session);
		return screenNames.every(name => now[name] === lists[name]);
	};

	const store = async (): Promise<void> => {
		clearTimeout(timer);
		timer = undefined;
		if (candidate === undefined || candidate === stored || !isCurrent(candidate)) {
			return;
		}

		const {session, state, header} = candidate;
		const {size} = state;
		const now = Date.now();
		const day = new Date(now).toDateString();
		if (headers?.header !== header || headers.day !== day) {
			headers = {header, day, lines: [header(now), header(Infinity)]};
		}

		if (size !== stored?.state.size) {
			knownRows.clear();
		}

		stored = candidate;
		const [, ...lines] = candidate.frame.split('\n');
		const [frame, datedFrame] = headers.lines.map(each => [each, ...lines].join('\n')) as [string, string];
		const [drawing, datedDrawing] = drawFrames([frame, datedFrame], {size, capabilities}, knownRows) as [string, string];
		await session.saveScreen({
			identity: screenIdentity({
				profileName: session.profileName, isReadOnly, size, capabilities, env,
			}),
			day,
			drawing,
			frame,
			dated: {drawing: datedDrawing, frame: datedFrame},
			view: savedViewOf(state),
		});
	};

	return {
		handleFrame(next) {
			lastFrame = next;
		},
		handleScreen(screen) {
			if (!isLasting(screen)) {
				return;
			}

			candidate = {...screen, frame: lastFrame, lists: {...listsOf(screen.session), [screen.state.screen]: screen.records}};
			timer ??= setTimeout(() => {
				void store();
			}, delayMilliseconds);
		},
		async close(state) {
			await store();
			if (stored === undefined || !isCurrent(stored) || !isDeepStrictEqual(savedViewOf(stored.state), savedViewOf(state))) {
				candidate?.session.removeScreen();
			}
		},
	};
};
