import type {Client} from '../client/client.ts';
import type {Operation} from '../interface/endpoints.ts';
import {beyondRights, mayCall, type KeyRights} from '../interface/key-rights.ts';
import type {Resource} from '../interface/records.ts';
import type {Step} from '../state/plan.ts';
import type {Context} from './context.ts';

/*
What a key may not do is refused as soon as the service has said what it may, with the first list: before a question, and in a dry run too.
The client would refuse to send it.
*/

/** Commands that only switch, or look at what they have planned (`refuseSteps`). */
const switchingCommands: ReadonlySet<string> = new Set(['enable', 'disable', 'toggle', 'presets apply', 'apply', 'history revert']);

/** Whether a command that changes something can do so with a key. */
export const mayRun = (commandName: string, rights: KeyRights): boolean =>
	rights === 'all' || (rights === 'switch' && switchingCommands.has(commandName));

/** A client that refuses the first list to a command that changes what the key may not. */
export const refuseByKey = ({commandName, isChanging}: Context, client: Client): Client =>
	isChanging
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

/** @throws SwitchboardError `forbidden` if the key may not call an operation. */
export const refuseOperation = async ({getKeyLimits}: Pick<Client, 'getKeyLimits'>, operation: Operation): Promise<void> => {
	const limits = await getKeyLimits();
	if (limits !== undefined && !mayCall(limits.rights, operation)) {
		throw beyondRights(limits);
	}
};

/** @throws SwitchboardError `forbidden` if the key may not carry out a plan as a whole. */
export const refuseSteps = async (
	{getKeyLimits}: Pick<Client, 'getKeyLimits'>,
	steps: ReadonlyArray<Pick<Step, 'kind'>>,
): Promise<void> => {
	const limits = await getKeyLimits();
	if (limits !== undefined && steps.some(({kind}) => kind !== 'switch' || limits.rights !== 'switch')) {
		throw beyondRights(limits);
	}
};
