import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {type InstalledAbility} from '../../interface/records.ts';
import {notSeenYet} from './late-change.ts';
import {seenRecords} from './seen-records.ts';
import {useServiceSession, type ServiceSession} from './service-session.ts';
import {type UndoStep} from './undo-history.ts';
import {readListsAgain, replaceRecord, runWrite} from './writes.ts';

type Seen = Pick<InstalledAbility, 'id' | 'name' | 'triggerPhrases'>;

export type EditPhrases = {
	/**
	Replaces the trigger phrases of an installed ability, unless they are not as they were `seen` any more. It can be undone.

	@throws SwitchboardError with the service's words; where no answer came, only after the list was asked what became of it.
	`conflict` where somebody else has changed them meanwhile; the list shows them as they are by then.
	*/
	savePhrases(seen: Seen, phrases: readonly string[]): Promise<void>;
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

/** The record as the service has it now: all of it is sent back, and what somebody else has changed meanwhile would be lost. */
const newestRecord = async (session: ServiceSession, {id, name}: Seen): Promise<InstalledAbility> => {
	await session.readAgain('installed');
	const record = seenRecords(session, 'installed')?.find(each => each.id === id);
	if (record === undefined) {
		throw new SwitchboardError('not-found', `${name} is not installed any more.`);
	}

	return record;
};

const isSame = (first: readonly string[], second: readonly string[]): boolean =>
	first.length === second.length && first.every((phrase, index) => phrase === second[index]);

/** Where no answer came, the list tells whether the phrases were saved; what is thrown is of unknown outcome only where it cannot. */
const checkOutcome = async (session: ServiceSession, id: number, phrases: readonly string[], error: SwitchboardError): Promise<void> => {
	if (!await readListsAgain(session, ['installed'])) {
		throw error;
	}

	if (!isSame(seenRecords(session, 'installed')?.find(record => record.id === id)?.triggerPhrases ?? [], phrases)) {
		throw notSeenYet(error, 'The list does not show them');
	}
};

/** Gives the phrases that were there before. */
const save = async (session: ServiceSession, seen: Seen, phrases: readonly string[]): Promise<readonly string[]> => {
	const {id, name} = seen;
	await whenSwitched(session, id);
	const record = await newestRecord(session, seen);
	const now = record.triggerPhrases;
	if (isSame(now, phrases)) {
		return now;
	}

	if (!isSame(now, seen.triggerPhrases)) {
		const listed = now.length === 0 ? 'there are none now' : `they are now ${now.join(', ')}`;
		throw new SwitchboardError('conflict', `The trigger phrases of ${name} were changed on the service meanwhile: ${listed}.`, {field: 'trigger_words'});
	}

	try {
		await replaceRecord(session, 'installed', await session.client.editPhrases(record, phrases));
	} catch (error_) {
		const error = toSwitchboardError(error_);
		if (!error.isOutcomeUnknown) {
			throw error;
		}

		await checkOutcome(session, id, phrases, error);
	}

	return now;
};

const runSave = async (session: ServiceSession, seen: Seen, phrases: readonly string[]): Promise<readonly string[]> => {
	const {id, name} = seen;
	const unknown = `It is not known whether the trigger phrases of ${name} are saved.`;
	const before = await runWrite(session, {key: ['edit-phrases', id], unknown}, async () => save(session, seen, phrases));
	void readListsAgain(session, ['installed', 'abilities']);
	return before;
};

const wayBackOf = (session: ServiceSession, seen: Seen, phrases: readonly string[]): UndoStep => ({
	what: `the trigger phrases of ${seen.name}`,
	async takeBack() {
		await runSave(session, {...seen, triggerPhrases: phrases}, seen.triggerPhrases);
		const again = seen.triggerPhrases.length === 0 ? 'no trigger phrases' : seen.triggerPhrases.join(', ');
		return `${seen.name} has its former trigger phrases again: ${again}.`;
	},
});

/** The write behind editing trigger phrases. */
export const useEditPhrases = (): EditPhrases => {
	const session = useServiceSession();
	return {
		async savePhrases(seen, phrases) {
			const end = session.undoHistory.begin(`Still being saved: the trigger phrases of ${seen.name}.`);
			try {
				const before = await runSave(session, seen, phrases);
				end(isSame(before, phrases) ? undefined : wayBackOf(session, {...seen, triggerPhrases: before}, phrases));
			} catch (error) {
				const {isOutcomeUnknown} = toSwitchboardError(error);
				end(isOutcomeUnknown ? {refusal: `It is not known whether the trigger phrases of ${seen.name} were saved, so that cannot be undone.`} : undefined);
				throw error;
			}
		},
	};
};
