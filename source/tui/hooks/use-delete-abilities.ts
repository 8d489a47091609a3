import {type Ability, type Agent} from '../../interface/records.ts';
import {doToEach, type Outcome} from './each.ts';
import {seenRecords} from './seen-records.ts';
import {useServiceSession, type ServiceSession} from './service-session.ts';
import {abilityKey} from './use-ability.ts';
import {
	isWriting,
	readListsAgain,
	removeRecord,
	runWrite,
} from './writes.ts';

type Deleted = Pick<Ability, 'id' | 'name'>;

export type DeleteAbilities = {
	/** Deletes abilities, a few at a time, then reads again what shows them. Never rejects: each has an outcome. */
	deleteAbilities<A extends Deleted>(abilities: readonly A[], onEach: (outcome: Outcome<A>) => void): Promise<void>;
	isDeleting(id: number): boolean;
	/** The agents, to tell which of them would lose an ability; `undefined` where they cannot be read. */
	readAgents(): Promise<readonly Agent[] | undefined>;
};

const readAgents = async (session: ServiceSession): Promise<readonly Agent[] | undefined> => {
	try {
		await session.readAgain('agents');
		return seenRecords(session, 'agents');
	} catch {
		return undefined;
	}
};

/** The write behind deleting: the abilities themselves, for everyone. */
export const useDeleteAbilities = (): DeleteAbilities => {
	const session = useServiceSession();
	return {
		async deleteAbilities(abilities, onEach) {
			await doToEach(abilities, async ability => {
				const {id, name} = ability;
				const unknown = `It is not known whether ${name} is deleted.`;
				await runWrite(session, {key: ['delete-ability', id], unknown}, async () => {
					await removeRecord(session, 'abilities', id, async () => session.client.deleteAbility(ability));
					session.queryClient.removeQueries({queryKey: abilityKey(id)});
				});
			}, onEach);
			await readListsAgain(session, ['abilities', 'installed', 'agents']);
		},
		isDeleting: id => isWriting(session, ['delete-ability', id]),
		readAgents: async () => readAgents(session),
	};
};
