import assert from 'node:assert/strict';
import type {Client, ResourceList} from '../../../../source/client/client.ts';
import {SwitchboardError} from '../../../../source/interface/errors.ts';
import type {Ability, Agent, InstalledAbility, Records, Resource} from '../../../../source/interface/records.ts';
import {type Register, createRegister, type Outcome} from './register.ts';
import {fieldsOf} from '../../../helpers/fields-of.ts';

export type Switch = {readonly isEnabled: boolean | undefined; readonly phrases: readonly string[]};

export type Lists = {
	readonly agents: readonly Agent[];
	readonly abilities: readonly Ability[];
	readonly installed: readonly InstalledAbility[];
};

export function switchOf({isEnabled, triggerPhrases}: InstalledAbility): Switch {
	return {isEnabled, phrases: triggerPhrases};
}

/** What the client says of a write that failed must be true: it was not done, or nobody knows. */
export function outcomeOf(error: unknown): Exclude<Outcome, 'done'> {
	if (!(error instanceof SwitchboardError) || error.kind === 'unexpected') {
		throw error;
	}

	return error.isOutcomeUnknown ? 'unknown' : 'refused';
}

type NamedRecord = {readonly id: number; readonly name: string};

/** All that clients have written, acknowledged and seen, and what follows for every read. */
export type World = ReturnType<typeof createWorld>;

export function createWorld(pick: () => Promise<Client>) {
	const switches = new Map<number, Register<Switch>>();
	const prompts = new Map<number, Register<string>>();
	const names = new Map<string, string>();
	const deleted = new Set<number>();
	const last = new Map<Resource, unknown>();
	const tally = {
		reads: 0,
		'reads of what was unchanged': 0,
		'reads without an answer': 0,
		'writes acknowledged': 0,
		'writes refused': 0,
		'writes of unknown outcome': 0,
	};

	/** An id stays with what it was given to. */
	const checkIds = (kind: string, records: readonly NamedRecord[]): void => {
		for (const {id, name} of records) {
			const whole = `${kind} ${name}`;
			assert.equal(names.get(String(id)) ?? whole, whole, `The id ${id} was used twice`);
			names.set(String(id), whole);
		}
	};

	const check = (gone: ReadonlySet<number>, found: Iterable<number>): void => {
		for (const id of found) {
			assert.ok(!gone.has(id), `The ability ${id} was deleted, and is there`);
		}
	};

	const checkRegisters = <State>(reads: ReadonlyMap<number, (state: State) => void>, states: ReadonlyMap<number, State>): void => {
		for (const [id, see] of reads) {
			assert.ok(states.has(id), `The record ${id} is lost`);
			see(states.get(id)!);
		}
	};

	const begin = <State>(registers: ReadonlyMap<number, Register<State>>): ReadonlyMap<number, (state: State) => void> =>
		new Map([...registers].map(([id, register]) => [id, register.read()]));

	/** Asks whether the list that was read last is still the same, as a client that polls does. */
	const list = async <Name extends Resource>(client: Client, name: Name): Promise<ResourceList<Records[Name]>> => {
		const before = last.get(name) as ResourceList<Records[Name]> | undefined;
		const found = await client.list(name, undefined, before);
		tally['reads of what was unchanged'] += found === before ? 1 : 0;
		last.set(name, found);
		return found;
	};

	const readers = {
		async installed(client: Client) {
			const [reads, gone] = [begin(switches), new Set(deleted)];
			const {records} = await list(client, 'installed');
			checkIds('installed', records);
			check(
				gone,
				records.map(({abilityId}) => abilityId!),
			);
			checkRegisters(reads, new Map(records.map(record => [record.id, switchOf(record)])));
			return records;
		},
		async abilities(client: Client) {
			const gone = new Set(deleted);
			const {records} = await list(client, 'abilities');
			checkIds('ability', records);
			check(gone, fieldsOf(records, 'id'));
			return records;
		},
		async agents(client: Client) {
			const reads = begin(prompts);
			const {records} = await list(client, 'agents');
			checkIds('agent', records);
			checkRegisters(reads, new Map(records.map(({id, prompt}) => [id, prompt])));
			return records;
		},
	};

	/** A list as one of the processes has it; `undefined` if it did not answer. */
	const read = async <Name extends keyof Lists>(name: Name, client?: Client): Promise<Lists[Name] | undefined> => {
		const asked = client ?? (await pick());
		try {
			const records = await readers[name](asked);
			tally.reads++;
			return records as Lists[Name];
		} catch (error) {
			outcomeOf(error);
			tally['reads without an answer']++;
			return undefined;
		}
	};

	/** Until one answers. */
	const readSurely = async <Name extends keyof Lists>(name: Name): Promise<Lists[Name]> => (await read(name)) ?? readSurely(name);

	return {
		tally,
		read,
		readSurely,
		addSwitch(record: InstalledAbility) {
			switches.set(record.id, createRegister(`the installed ability ${record.name}`, switchOf(record)));
			return switches.get(record.id)!;
		},
		addPrompt(agent: Agent) {
			prompts.set(agent.id, createRegister(`the agent ${agent.name}`, agent.prompt));
			return prompts.get(agent.id)!;
		},
		isDeleted(id: number) {
			deleted.add(id);
		},
		/** Sends a write to one of the processes. */
		async write<Result>(
			send: (client: Client) => Promise<Result>,
		): Promise<{readonly outcome: Outcome; readonly result?: Result; readonly error?: SwitchboardError}> {
			const client = await pick();
			try {
				const result = await send(client);
				tally['writes acknowledged']++;
				return {outcome: 'done', result};
			} catch (error) {
				const outcome = outcomeOf(error);
				tally[outcome === 'unknown' ? 'writes of unknown outcome' : 'writes refused']++;
				return {outcome, error: error as SwitchboardError};
			}
		},
	};
}
