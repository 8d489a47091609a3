import {type InstalledAbility} from '../../interface/records.ts';
import {doToEach, type Outcome} from './each.ts';
import {useServiceSession} from './service-session.ts';
import {
	isWriting,
	readListsAgain,
	removeRecord,
	runWrite,
} from './writes.ts';

type Removed = Pick<InstalledAbility, 'id' | 'name'>;

export type UninstallAbilities = {
	/** Removes installed abilities, a few at a time, then reads again what shows them. Never rejects: each has an outcome. */
	uninstallAbilities<I extends Removed>(installed: readonly I[], onEach: (outcome: Outcome<I>) => void): Promise<void>;
	isUninstalling(id: number): boolean;
};

/** The write behind removing what is installed; the abilities themselves stay. */
export const useUninstallAbilities = (): UninstallAbilities => {
	const session = useServiceSession();
	return {
		async uninstallAbilities(installed, onEach) {
			await doToEach(installed, async each => {
				const {id, name} = each;
				const unknown = `It is not known whether ${name} is still installed.`;
				await runWrite(session, {key: ['uninstall-ability', id], unknown}, async () =>
					removeRecord(session, 'installed', id, async () => session.client.uninstallAbility(each)));
			}, onEach);
			await readListsAgain(session, ['installed', 'abilities', 'agents']);
		},
		isUninstalling: id => isWriting(session, ['uninstall-ability', id]),
	};
};
