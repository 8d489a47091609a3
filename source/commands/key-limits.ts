import type {Client} from '../client/client.ts';
import {beyondRights, type KeyRights} from '../interface/key-rights.ts';
import type {Resource} from '../interface/records.ts';
import {isSwitch, type Step} from '../state/plan.ts';
import type {Context} from './context.ts';

/*
A change beyond the rights of a key is refused as soon as the service has named them, with the first list: before a question, and in a dry
run too. The client would refuse to send it.
*/

/** Commands that only switch, or check their plan themselves (`refuseSteps`). */
const switchingCommands: ReadonlySet<string> = new Set(['enable', 'disable', 'toggle', 'presets apply', 'apply', 'history revert', 'undo']);

/** Tells whether a changing command can work with the rights of a key. */
export function mayRun(commandName: string, rights: KeyRights): boolean {
	return rights === 'all' || (rights === 'switch' && switchingCommands.has(commandName));
}

/** Returns a client that refuses the first list to a command beyond the rights of the key. */
export function refuseByKey({commandName, isChanging}: Context, client: Client): Client {
	return isChanging
		? {
				...client,
				async list<R extends Resource>(...given: Parameters<typeof client.list<R>>) {
					const list = await client.list(...given);
					const limits = await client.getKeyLimits();
					if (limits !== undefined && !mayRun(commandName, limits.rights)) {
						throw beyondRights(limits);
					}

					return list;
				},
			}
		: client;
}

/** @throws SwitchboardError `forbidden` if the key may not carry out all these steps. */
export async function refuseSteps({getKeyLimits}: Pick<Client, 'getKeyLimits'>, steps: readonly Step[]): Promise<void> {
	const limits = await getKeyLimits();
	if (limits !== undefined && steps.some(step => limits.rights !== 'switch' || !isSwitch(step))) {
		throw beyondRights(limits);
	}
}
