import {SwitchboardError} from '../interface/errors.ts';
import {withRefusedKeyHelp, keyLabel} from '../settings/sign-in-hint.ts';
import {type Target} from '../settings/target.ts';
import {type UiServices} from './app-context.ts';
import {type SessionSource} from './app.tsx';
import {unansweredText} from './failure-text.ts';
import {createObservable} from './observable.ts';
import {openSession, type OpenSessionOptions} from './hooks/open-session.ts';
import {type ServiceSession} from './hooks/service-session.ts';
import {whenWritesEnd, writesUnderWay} from './hooks/writes.ts';
import {keyName} from './keys/hints.ts';
import {helpForRefusedKeyHere} from './refused-key.ts';
import {createSessionReport} from './session-report.ts';

type SessionsOptions = Pick<UiServices, 'store' | 'keymap' | 'requests' | 'say' | 'isOverSsh'> & Omit<OpenSessionOptions, 'target' | 'report' | 'refreshKey'> & {
	/** Called each time that an operation fails because its key is refused. */
	readonly onKeyRefused?: ((error: SwitchboardError) => void) | undefined;
};

/** The service that is shown, and those shown before that still have a change under way. */
export type Sessions = SessionSource & {
	/** All that are not closed. */
	getAll(): readonly ServiceSession[];
	/** Opens a service; it is not shown yet. */
	open(target: Target): ServiceSession;
	/** Shows a service that was opened. The previous one is closed once its changes are answered. */
	show(session: ServiceSession): void;
	/** True if the shown service refused the key in its newest answer. */
	isKeyRefused(): boolean;
	/** What is known about the changes that no service has confirmed yet. */
	unconfirmedTexts(): readonly string[];
	close(): Promise<void>;
};

/** Opens services, and keeps each until its changes are answered. */
export const createSessions = (options: SessionsOptions, target: Target): Sessions => {
	const {store, keymap} = options;
	const before = new Set<ServiceSession>();
	const closing: Array<Promise<void>> = [];
	const refused = new WeakSet<ServiceSession>();

	const open = (opening: Target): ServiceSession => {
		const getSession = (): ServiceSession => session;
		const isShown = (): boolean => shown.get() === session;
		const {report, dismissOutdated} = createSessionReport({...options, getSession, isShown});
		const session = openSession({
			...options,
			target: opening,
			report,
			refreshKey: keyName(keymap, 'refresh'),
			nameKeyOf: ({keyVariable, profileName}) => keyLabel({keyVariable, profileName: profileName === undefined ? undefined : session.profileName}),
			explainError(error, source) {
				const explained = withRefusedKeyHelp(error, () => options.isOverSsh ? 'Tell whoever runs this server.' : helpForRefusedKeyHere(source, keymap));
				if (explained instanceof SwitchboardError && explained.kind === 'key-refused') {
					options.onKeyRefused?.(explained);
				}

				return explained;
			},
			onRequest(entry) {
				const {status} = entry;
				if (status === 401) {
					refused.add(session);
				} else if (status !== undefined && status < 300) {
					refused.delete(session);
				}

				options.requests.add(entry);
				options.onRequest?.(entry);
				if (status !== undefined && isShown()) {
					store.dispatch({type: 'end', end: 'answer'});
				}
			},
		});
		session.switching.subscribe(dismissOutdated);
		return session;
	};

	const shown = createObservable(open(target));

	const closeWhenAnswered = async (session: ServiceSession): Promise<void> => {
		await session.toggles.whenIdle();
		await whenWritesEnd(session.queryClient);
		before.delete(session);
		await session.close();
	};

	const getAll = (): readonly ServiceSession[] => [...before, shown.get()];

	return {
		getSession: shown.get,
		subscribe: shown.subscribe,
		getAll,
		open,
		show(session) {
			const left = shown.get();
			before.add(left);
			shown.set(session);
			closing.push(closeWhenAnswered(left));
		},
		isKeyRefused: () => refused.has(shown.get()),
		unconfirmedTexts: () => getAll().flatMap(({toggles, queryClient}) => {
			toggles.catchUp();
			return [...[...toggles.getIntents().values()].map(intent => unansweredText(intent)), ...writesUnderWay(queryClient)];
		}),
		async close() {
			closing.push(shown.get().close());
			await Promise.all(closing);
		},
	};
};
