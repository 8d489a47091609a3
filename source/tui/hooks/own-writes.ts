import {type Client} from '../../client/client.ts';
import {toSwitchboardError} from '../../interface/errors.ts';
import {type Resource} from '../../interface/records.ts';
import {phrasesText, type Change} from './list-changes.ts';

type Explains = (change: Change) => boolean;

type Write = {
	readonly explains: Explains;
	/** The lists that may show it for the first time. */
	readonly awaited: Set<Resource>;
	/** When its outcome was known; `undefined` until then. */
	endedAt: number | undefined;
	/** True if no answer came: it may still be carried out. */
	isLost: boolean;
};

/** More than are ever pending: the oldest writes, which no list has shown, are forgotten. */
const maximumWrites = 1000;

/** The writes of this session, so that their effects are not reported as changes made elsewhere. */
type OwnWrites = {
	/** The client; its writes are recorded. */
	readonly client: Client;
	/** The current time: a number that grows with each write that ends. */
	now(): number;
	/** True if a write of this session explains the change. */
	explain(change: Change): boolean;
	/** Call when a list was compared that was requested at this time: it shows all writes that ended before. */
	handleList(resource: Resource, askedAt: number): void;
};

const all: readonly Resource[] = ['agents', 'abilities', 'installed'];

const isNamed = (change: Change, name: string): boolean => change.resource !== 'agents' && change.name === name;

export const createOwnWrites = (client: Client): OwnWrites => {
	let writes: readonly Write[] = [];
	let clock = 0;

	const note = async <Result>(shownBy: readonly Resource[], explains: Explains, work: () => Promise<Result>): Promise<Result> => {
		const write: Write = {
			explains, awaited: new Set(shownBy), endedAt: undefined, isLost: false,
		};
		writes = [...writes, write].slice(-maximumWrites);
		try {
			const result = await work();
			write.endedAt = ++clock;
			return result;
		} catch (error) {
			write.isLost = toSwitchboardError(error).isOutcomeUnknown;
			if (!write.isLost) {
				writes = writes.filter(other => other !== write);
			}

			throw error;
		}
	};

	return {
		client: {
			...client,
			setEnabled: async (installed, isEnabled) => note(
				['installed'],
				({resource, id, kind, to}) => resource === 'installed' && id === installed.id && kind === 'state' && to === (isEnabled ? 'on' : 'off'),
				async () => client.setEnabled(installed, isEnabled),
			),
			editPhrases: async (installed, phrases) => note(
				['installed', 'abilities'],
				change => change.kind === 'phrases' && isNamed(change, installed.name) && change.to === phrasesText(phrases),
				async () => client.editPhrases(installed, phrases),
			),
			editAgent: async (agent, changes) => note(
				['agents'],
				({resource, id}) => resource === 'agents' && id === agent.id,
				async () => client.editAgent(agent, changes),
			),
			uploadAbility: async (upload, options) => note(
				all,
				change => isNamed(change, upload.name) || (change.resource === 'agents' && change.id === upload.agentId),
				async () => client.uploadAbility(upload, options),
			),
			deleteAbility: async ability => note(
				all,
				change => (change.kind === 'removed' && isNamed(change, ability.name)) || change.kind === 'ties',
				async () => client.deleteAbility(ability),
			),
			installAbility: async ability => note(
				['installed'],
				change => change.kind === 'added' && isNamed(change, ability.name),
				async () => client.installAbility(ability),
			),
			uninstallAbility: async installed => note(
				['installed', 'agents'],
				change => (change.kind === 'removed' && isNamed(change, installed.name)) || change.kind === 'ties',
				async () => client.uninstallAbility(installed),
			),
		},
		now: () => clock,
		explain(change) {
			const write = writes.find(({explains, awaited}) => awaited.has(change.resource) && explains(change));
			if (write?.isLost) {
				// It has arrived after all: later changes are somebody else's.
				write.awaited.delete(change.resource);
			}

			return write !== undefined;
		},
		handleList(resource, askedAt) {
			for (const {endedAt, awaited} of writes) {
				if (endedAt !== undefined && endedAt <= askedAt) {
					awaited.delete(resource);
				}
			}

			writes = writes.filter(({awaited}) => awaited.size > 0);
		},
	};
};
