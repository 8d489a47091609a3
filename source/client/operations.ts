import {deleteAbility, editAbility, getAbility, uploadAbility} from './abilities.ts';
import {readChanges, readHistory} from './changes.ts';
import {checkKey, getDescribedOperations, getKeyLimits, verifyKey} from './check-service.ts';
import type * as Conversations from './conversation.ts';
import {editAgent} from './edit-agent.ts';
import {editInstalled, installAbility, uninstallAbility} from './installed.ts';
import type {Connection} from './lists.ts';
import {enableRelease, getInstalledByAbility, getKeptSource, getTemplateFile, listReleases, releaseCode} from './releases.ts';
import {sendRequest} from './routes.ts';

// Loaded with the first conversation: the screens start without it.
const openConversation: typeof Conversations.openConversation = async (...inputs) => {
	const conversations = await import('./conversation.ts');
	return conversations.openConversation(...inputs);
};

const followCallLogs: typeof Conversations.followCallLogs = async (...inputs) => {
	const conversations = await import('./conversation.ts');
	return conversations.followCallLogs(...inputs);
};

/** Every operation of the client except listing; each is documented at its function. */
const operations = {
	getAbility,
	editInstalled,
	editAgent,
	editAbility,
	uploadAbility,
	deleteAbility,
	installAbility,
	uninstallAbility,
	getInstalledByAbility,
	getTemplateFile,
	getKeptSource,
	listReleases,
	releaseCode,
	enableRelease,
	getDescribedOperations,
	readHistory,
	readChanges,
	openConversation,
	followCallLogs,
	sendRequest,
	getKeyLimits,
	verifyKey,
	checkKey,
} as const;

type Bound<Operation> = Operation extends (connection: Connection, ...inputs: infer Inputs) => infer Result
	? (...inputs: Inputs) => Result
	: never;

/** The operations of one service, with one key. All throw `SwitchboardError`. */
export type Client = {readonly baseAddress: string; readonly list: Connection['list']} & {
	readonly [Name in keyof typeof operations]: Bound<(typeof operations)[Name]>;
};

/** Runs work on a connection, which may have to be opened first. */
type Run = <Result>(work: (connection: Connection) => Promise<Result>) => Promise<Result>;

/** Returns a client whose operations go through `run`. */
export function bindClient(baseAddress: string, run: Run): Client {
	const bound = Object.entries(operations).map(([name, operation]) => [
		name,
		async (...inputs: readonly unknown[]) =>
			run(async connection => (operation as (...all: readonly unknown[]) => Promise<unknown>)(connection, ...inputs)),
	]);
	return {
		baseAddress,
		list: async (resource, signal, before) => run(async connection => connection.list(resource, signal, before)),
		...(Object.fromEntries(bound) as Omit<Client, 'baseAddress' | 'list'>),
	};
}
