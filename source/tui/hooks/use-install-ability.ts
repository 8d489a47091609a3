import {type Ability} from '../../interface/records.ts';
import {doToEach, type Outcome} from './each.ts';
import {useServiceSession} from './service-session.ts';
import {isWriting, readListsAgain, runWrite} from './writes.ts';

type Wanted = Pick<Ability, 'id' | 'name'>;

export type InstallAbility = {
	/** Installs abilities, a few at a time, then reads again what shows them. Never rejects: each has an outcome. */
	install<A extends Wanted>(abilities: readonly A[], onEach: (outcome: Outcome<A>) => void): Promise<void>;
	isInstalling(id: number): boolean;
};

/** The write behind installing, where the service can: its path is not documented. */
export const useInstallAbility = (): InstallAbility => {
	const session = useServiceSession();
	return {
		async install(abilities, onEach) {
			await doToEach(abilities, async ability => {
				const {id, name} = ability;
				await runWrite(session, {key: ['install-ability', id], unknown: `It is not known whether ${name} is installed.`}, async () => session.client.installAbility(ability));
			}, onEach);
			await readListsAgain(session, ['installed', 'abilities']);
		},
		isInstalling: id => isWriting(session, ['install-ability', id]),
	};
};
