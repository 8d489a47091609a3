import type {TestContext} from 'node:test';
import {screenTopics} from '../../../source/commands/help.ts';
import {SwitchboardError} from '../../../source/interface/errors.ts';
import {openSettings} from '../../../source/settings/settings.ts';
import {startService} from '../../../source/service/service.ts';
import {runRemoteUi} from '../../../source/tui/remote-ui.tsx';
import {startFaultRelay, type FaultRelay} from '../../helpers/fault-relay.ts';
import {RemoteTerminal, type RemoteTerminalOptions} from '../../helpers/remote-terminal.ts';
import {temporaryFolders, type Folders} from '../../helpers/temporary-folder.ts';
import {cursorLine} from './shown.ts';

/** A session with somebody's terminal. */
export type OpenSession = RemoteTerminal & {readonly exitCode: Promise<number>};

/** Waits until a session has moved its cursor by a key. */
export const isGoingOn = async (session: OpenSession): Promise<void> => {
	const before = cursorLine(session.screen());
	session.press('j');
	await session.waitFor(lines => cursorLine(lines) !== before);
};

export type Server = {
	readonly folders: Folders;
	/** Between the sessions and the service. */
	readonly relay: FaultRelay;
	/** Opens the screens for somebody. They are ended after the test. */
	open(options?: RemoteTerminalOptions): OpenSession;
	/** Keeps nothing of the sessions so far, which must have ended. */
	forget(): void;
};

const apiKey = 'key-of-the-server-0123456789';

type ServerOptions = {
	/** The profiles stored on the server; one, `home`, unless given. */
	readonly profileNames?: readonly string[];
	/** The key that is stored with them; the right one unless given. */
	readonly storedKey?: string;
};

/** The bundled service with its sample home, and the settings of whoever lets others in. */
export const startServer = async (t: TestContext, {profileNames = ['home'], storedKey = apiKey}: ServerOptions = {}): Promise<Server> => {
	const folders = temporaryFolders();
	const service = await startService({location: folders.dataFolder, ephemeralKey: apiKey, isSampleWanted: true});
	const relay = await startFaultRelay(t, {target: service});
	const settings = await openSettings(folders);
	for (const name of profileNames) {
		await settings.saveProfile({name, baseAddress: relay.baseAddress, apiKey: storedKey});
	}

	const sessions = new Set<OpenSession>();
	t.after(async () => {
		for (const session of sessions) {
			session.end(new SwitchboardError('terminated', 'The test is over.'));
		}

		await Promise.all([...sessions].map(async ({exitCode}) => exitCode));
		await service.close();
	});
	return {
		folders,
		relay,
		open(options) {
			const terminal = new RemoteTerminal(options);
			const session = Object.assign(terminal, {exitCode: runRemoteUi(terminal.session, async () => screenTopics, folders)});
			sessions.add(session);
			return session;
		},
		forget() {
			sessions.clear();
		},
	};
};
