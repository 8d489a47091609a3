import {SwitchboardError} from '../../interface/errors.ts';
import {seenRecords} from './seen-records.ts';
import {type ServiceSession} from './service-session.ts';
import {readListsAgain} from './list-updates.ts';

export type Uploaded = {
	readonly name: string;
	/** `undefined` if neither the answer nor the list of abilities has it. */
	readonly id: number | undefined;
	/** The service's own words; may be empty. */
	readonly detail: string;
	/** True if it was cancelled after it had arrived. */
	readonly isTooLateToCancel: boolean;
};

/** The ids in the list of abilities; `undefined` if it was not read yet. */
export const abilityIds = (session: ServiceSession): ReadonlySet<number> | undefined => {
	const records = seenRecords(session, 'abilities');
	return records && new Set(records.map(({id}) => id));
};

export const cancelledUpload = (): SwitchboardError => new SwitchboardError('interrupted', 'Upload cancelled.');

type LostUpload = {
	readonly error: SwitchboardError;
	/** False if only a part was sent: no service accepts that. */
	readonly isWholeSent: boolean;
};

/** Looks for an upload in the list when its answer was lost. */
export const findUpload = async (session: ServiceSession, name: string, idsBefore: ReadonlySet<number> | undefined, {error, isWholeSent}: LostUpload): Promise<Uploaded> => {
	const isRead = await readListsAgain(session, ['abilities', 'installed']);
	if (!isRead || idsBefore === undefined) {
		throw error;
	}

	const isTooLateToCancel = error.kind === 'interrupted';
	// Some services list no names: a new ability without one is taken for it.
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
		? new SwitchboardError(kind, `The upload was cancelled after everything was sent: ${name} is not in the list, but it may still arrive.`, {
			nextStep: 'Refresh the list before you upload it again.', isOutcomeUnknown: true,
		})
		: new SwitchboardError(kind, message, {
			status,
			nextStep: `It is not in the list of abilities${isWholeSent ? ', but it may still arrive' : ''}.`,
			isOutcomeUnknown: isWholeSent,
		});
};
