import {toSwitchboardError} from '../../interface/errors.ts';
import {type Ability, type InstalledAbility} from '../../interface/records.ts';
import {doToEach, type Outcome} from './each.ts';
import {notSeenYet} from './late-change.ts';
import {seenRecords} from './seen-records.ts';
import {useServiceSession, type ServiceSession} from './service-session.ts';
import {isWriting, readListsAgain, runWrite} from './writes.ts';

type Wanted = Pick<Ability, 'id' | 'name'>;

export type InstallAbility = {
	/** Installs abilities, a few at a time, then reads again what shows them. Never rejects: each has an outcome. */
	install<A extends Wanted>(abilities: readonly A[], onEach: (outcome: Outcome<A>) => void): Promise<void>;
	isInstalling(id: number): boolean;
};

/** Installs one. Where the answer is lost, the list as it is now tells whether it is installed; else that may still arrive. */
const installOrLookUp = async (session: ServiceSession, {id, name}: Wanted): Promise<void> => {
	const idsBefore = new Set(seenRecords(session, 'installed')?.map(record => record.id));
	try {
		await session.client.installAbility({id, name});
	} catch (error_) {
		const error = toSwitchboardError(error_);
		if (!error.isOutcomeUnknown || !await readListsAgain(session, ['installed'])) {
			throw error;
		}

		// Some services tie the two by name alone.
		const isNew = (record: InstalledAbility): boolean => !idsBefore.has(record.id) && (record.abilityId === undefined ? record.name === name : record.abilityId === id);
		if (!seenRecords(session, 'installed')?.some(record => isNew(record))) {
			throw notSeenYet(error, 'The list of what is installed does not have it');
		}
	}
};

/** The write behind installing, where the service can: its path is not documented. */
export const useInstallAbility = (): InstallAbility => {
	const session = useServiceSession();
	return {
		async install(abilities, onEach) {
			await doToEach(abilities, async ability => {
				const {id, name} = ability;
				await runWrite(session, {key: ['install-ability', id], unknown: `It is not known whether ${name} is installed.`}, async () => installOrLookUp(session, ability));
			}, onEach);
			await readListsAgain(session, ['installed', 'abilities']);
		},
		isInstalling: id => isWriting(session, ['install-ability', id]),
	};
};
