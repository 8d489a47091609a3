import {SwitchboardError} from '../../interface/errors.ts';
import {seenRecords} from './seen-records.ts';
import {type ServiceSession} from './service-session.ts';
import {readListsAgain} from './writes.ts';

export type Uploaded = {
	readonly name: string;
	/** `undefined` where neither the answer nor the list of abilities tells. */
	readonly id: number | undefined;
	/** The service's own words; may be empty. */
	readonly detail: string;
	/** True where it was cancelled, but had arrived already. */
	readonly isTooLateToCancel: boolean;
};

/** Ids of the abilities that there are before an upload; `undefined` where their list was not read yet. */
export const abilityIds = (session: ServiceSession): ReadonlySet<number> | undefined => {
	const records = seenRecords(session, 'abilities');
	return records && new Set(records.map(({id}) => id));
};

export const cancelledUpload = (): SwitchboardError => new SwitchboardError('interrupted', 'The upload is cancelled.');

export type LostUpload = {
	readonly error: SwitchboardError;
	/** A service carries out nothing of which a part is missing. */
	readonly isWholeSent: boolean;
};

/** Looks in the list what became of an upload whose answer never came. */
export const findUpload = async (session: ServiceSession, name: string, idsBefore: ReadonlySet<number> | undefined, {error, isWholeSent}: LostUpload): Promise<Uploaded> => {
	const isRead = await readListsAgain(session, ['abilities', 'installed']);
	if (!isRead || idsBefore === undefined) {
		throw error;
	}

	const isTooLateToCancel = error.kind === 'interrupted';
	// Some services list no names: a new one without is taken for it.
	const id = seenRecords(session, 'abilities')?.find(each => !idsBefore.has(each.id) && (each.raw['name'] ?? name) === name)?.id;
	if (id !== undefined) {
		return {
			name, id, detail: '', isTooLateToCancel,
		};
	}

	const {kind, message, status} = error;
	if (isTooLateToCancel && !isWholeSent) {
		throw cancelledUpload();
	}

	throw isTooLateToCancel
		? new SwitchboardError(kind, `The upload was cancelled after all of it was sent: ${name} is not in the list, but may still come.`, {
			nextStep: 'Read the list again before you upload it once more.', isOutcomeUnknown: true,
		})
		: new SwitchboardError(kind, message, {
			status,
			nextStep: `The list of abilities, read again, does not have it${isWholeSent ? ', but it may still arrive' : ''}.`,
			isOutcomeUnknown: isWholeSent,
		});
};
