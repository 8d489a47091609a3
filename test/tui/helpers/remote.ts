import {screenTopics} from '../../../source/commands/help.ts';
import {SwitchboardError} from '../../../source/interface/errors.ts';
import {openSettings} from '../../../source/settings/settings.ts';
import {startService} from '../../../source/service/service.ts';
import {runRemoteUi} from '../../../source/tui/remote-ui.tsx';
import {startFaultRelay, type FaultRelay} from '../../helpers/fault-relay.ts';
import {fingerprintOf, RemoteTerminal, type RemoteTerminalOptions} from '../../helpers/remote-terminal.ts';
import {temporaryFolders, type Folders} from '../../helpers/temporary-folder.ts';
import {cursorLine} from './shown.ts';

/** A session with somebody's terminal. */
export type OpenSession = RemoteTerminal & {readonly exitCode: Promise<number>};

/** Waits until a session has moved its cursor by a key. */
export async function isGoingOn(session: OpenSession): Promise<void> {
	const before = cursorLine(session.screen());
	await session.press('j').waitFor(lines => cursorLine(lines) !== before);
}

type Test = {readonly fullName: string; readonly after: (release: () => Promise<void>) => void};

export type Server = {
	readonly folders: Folders;
	/** Between the sessions and the service. */
	readonly relay: FaultRelay;
	/** Opens the screens for somebody, with a key of this test's own unless given. They are ended after the test. */
	open(t: Test, options?: RemoteTerminalOptions): OpenSession;
	/** Opens them and waits until their list is up to date. */
	enter(t: Test, options?: RemoteTerminalOptions): Promise<OpenSession>;
};

const apiKey = 'key-of-the-server-0123456789';

type ServerOptions = {
	/** The profiles stored on the server; one, `home`, unless given. */
	readonly profileNames?: readonly string[];
	/** The key that is stored with them; the right one unless given. */
	readonly storedKey?: string;
};

/** Starts the bundled service with its sample home and stores the settings of whoever lets others in, for one test or for those of a file. */
export async function startServer(
	t: Pick<Test, 'after'>,
	{profileNames = ['home'], storedKey = apiKey}: ServerOptions = {},
): Promise<Server> {
	const folders = temporaryFolders();
	const service = await startService({location: folders.dataFolder, ephemeralKey: apiKey, isSampleWanted: true});
	t.after(async () => service.close());
	const relay = await startFaultRelay(t, {target: service});
	const settings = await openSettings(folders);
	for (const name of profileNames) {
		await settings.saveProfile({name, baseAddress: relay.baseAddress, apiKey: storedKey});
	}

	const open: Server['open'] = (test, options) => {
		const terminal = new RemoteTerminal({fingerprint: fingerprintOf(test.fullName), ...options});
		const session = Object.assign(terminal, {exitCode: runRemoteUi(terminal.session, async () => screenTopics, folders)});
		test.after(async () => {
			session.end(new SwitchboardError('terminated', 'The test is over.'));
			await session.exitCode;
		});
		return session;
	};

	return {
		folders,
		relay,
		open,
		async enter(test, options) {
			const session = open(test, options);
			await session.waitFor('live');
			return session;
		},
	};
}
