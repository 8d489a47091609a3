import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {type InstalledAbility} from '../../interface/records.ts';
import {seenRecords} from './seen-records.ts';
import {
	resourceKeys,
	useServiceSession,
	type SeenList,
	type ServiceSession,
} from './service-session.ts';
import {readListsAgain, replaceRecord, runWrite} from './writes.ts';

type Edited = Pick<InstalledAbility, 'id' | 'name'>;

export type EditPhrases = {
	/**
	Replaces the trigger phrases of an installed ability.

	@throws SwitchboardError with the service's words; where no answer came, only after the list was asked what became of it.
	*/
	savePhrases(installed: Edited, phrases: readonly string[]): Promise<void>;
};

const isListOfThisRun = ({queryClient}: ServiceSession): boolean => {
	const list = queryClient.getQueryData<SeenList<InstalledAbility>>(resourceKeys.list('installed'));
	return list !== undefined && !list.isFromEarlierRun;
};

/** Switching sends the phrases along, and this sends the switch along: one after the other. */
const whenSwitched = async ({toggles}: ServiceSession, id: number): Promise<void> => {
	const {promise, resolve} = Promise.withResolvers<void>();
	const look = (): void => {
		if (!toggles.getIntents().has(id)) {
			resolve();
		}
	};

	const unsubscribe = toggles.subscribe(look);
	look();
	await promise;
	unsubscribe();
};

/** The record as the service has it; one of an earlier run is too old to be sent back. */
const newestRecord = async (session: ServiceSession, {id, name}: Edited): Promise<InstalledAbility> => {
	if (!isListOfThisRun(session)) {
		await session.readAgain('installed');
	}

	const record = seenRecords(session, 'installed')?.find(each => each.id === id);
	if (record === undefined) {
		throw new SwitchboardError('not-found', `${name} is not installed any more.`);
	}

	return record;
};

const isSame = (first: readonly string[], second: readonly string[]): boolean =>
	first.length === second.length && first.every((phrase, index) => phrase === second[index]);

/** Whether the service has these phrases now, where its answer to the change never came. */
const areSaved = async (session: ServiceSession, id: number, phrases: readonly string[]): Promise<boolean> =>
	await readListsAgain(session, ['installed'])
	&& isSame(seenRecords(session, 'installed')?.find(record => record.id === id)?.triggerPhrases ?? [], phrases);

const save = async (session: ServiceSession, installed: Edited, phrases: readonly string[]): Promise<void> => {
	const {id} = installed;
	await whenSwitched(session, id);
	const record = await newestRecord(session, installed);
	try {
		await replaceRecord(session, 'installed', await session.client.editPhrases(record, phrases));
	} catch (error_) {
		const error = toSwitchboardError(error_);
		if (!error.isOutcomeUnknown || !await areSaved(session, id, phrases)) {
			throw error;
		}
	}
};

/** The write behind editing trigger phrases. */
export const useEditPhrases = (): EditPhrases => {
	const session = useServiceSession();
	return {
		async savePhrases(installed, phrases) {
			const {id, name} = installed;
			const unknown = `It is not known whether the trigger phrases of ${name} are saved.`;
			await runWrite(session, {key: ['edit-phrases', id], unknown}, async () => save(session, installed, phrases));
			void readListsAgain(session, ['installed', 'abilities']);
		},
	};
};
