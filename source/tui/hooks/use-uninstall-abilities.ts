import {toSwitchboardError} from '../../interface/errors.ts';
import {type InstalledAbility} from '../../interface/records.ts';
import {doToEach, type Outcome} from './each.ts';
import {useServiceSession, type ServiceSession} from './service-session.ts';
import {
	forgetRecord,
	isGone,
	isWriting,
	readListsAgain,
	runWrite,
} from './writes.ts';

type Removed = Pick<InstalledAbility, 'id' | 'name'>;

export type UninstallAbilities = {
	/** Removes installed abilities, a few at a time, then reads again what shows them. Never rejects: each has an outcome. */
	uninstallAbilities<I extends Removed>(installed: readonly I[], onEach: (outcome: Outcome<I>) => void): Promise<void>;
	isUninstalling(id: number): boolean;
};

const uninstallAbility = async (session: ServiceSession, installed: Removed): Promise<void> => {
	const {id} = installed;
	try {
		await session.client.uninstallAbility(installed);
	} catch (error_) {
		const error = toSwitchboardError(error_);
		if (!error.isOutcomeUnknown || !await isGone(session, 'installed', id)) {
			throw error;
		}
	}

	await forgetRecord(session, 'installed', id);
};

/** The write behind removing what is installed; the abilities themselves stay. */
export const useUninstallAbilities = (): UninstallAbilities => {
	const session = useServiceSession();
	return {
		async uninstallAbilities(installed, onEach) {
			await doToEach(installed, async each => {
				const {id, name} = each;
				const unknown = `It is not known whether ${name} is still installed.`;
				await runWrite(session, {key: ['uninstall-ability', id], unknown}, async () => uninstallAbility(session, each));
			}, onEach);
			await readListsAgain(session, ['installed', 'abilities', 'agents']);
		},
		isUninstalling: id => isWriting(session, ['uninstall-ability', id]),
	};
};
