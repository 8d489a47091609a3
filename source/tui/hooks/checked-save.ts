import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {goneText} from '../../interface/lists.ts';
import {type Records, type Resource} from '../../interface/records.ts';
import {readListsAgain, replaceRecord, writeOrLookUp} from './list-updates.ts';
import {seenRecords} from './seen-records.ts';
import {type ServiceSession} from './service-session.ts';
import {type ReversibleStep} from './undo-history.ts';
import {runWrite} from './writes.ts';

type EditedResource = 'agents' | 'installed';

/** A change to one record, made from what a person saw of it. */
export type CheckedSave<R extends EditedResource> = {
	readonly resource: R;
	readonly id: number;
	readonly name: string;
	/** What is saved, such as “the name of Hearth”. */
	readonly what: string;
	/** What is sent, for screens that show it until it is confirmed. */
	readonly variables?: unknown;
	/** Other lists that show the change. */
	readonly shownBy?: readonly Resource[];
	/** Resolves when no other write to the record is under way. */
	whenReady?(): Promise<void>;
	/** True if the record already has the change; `undefined` if the service does not show that. */
	isSaved(record: Records[R]): boolean | undefined;
	/** The conflict, if the record is no longer as the person saw it. */
	findConflict(record: Records[R]): Conflict | undefined;
	/** Sends the change. Returns the record as the service has it now. */
	send(record: Records[R]): Promise<Records[R]>;
	/** The save that undoes this one, with the sentence that reports it; `undefined` if the service did not show the old value. */
	reverse(before: Records[R], after: Records[R]): {readonly save: CheckedSave<R>; readonly undoneText: string} | undefined;
	/** What to save instead after a failure, if the person wants that; then everything is checked anew. */
	insteadAfter?(error: SwitchboardError): Promise<CheckedSave<R> | undefined>;
};

export type Conflict = {readonly field: string; readonly message: string};

type Saved<R extends EditedResource> = {readonly before: Records[R]; readonly after: Records[R]};

/** True if somebody else changed a record since the person saw it; false for a conflict that the service reports. */
export const isEditConflict = ({kind, status}: SwitchboardError): boolean => kind === 'conflict' && status === undefined;

const findRecord = <R extends EditedResource>(session: ServiceSession, {resource, id}: CheckedSave<R>): Records[R] | undefined =>
	seenRecords(session, resource)?.find(record => record.id === id);

const readRecord = async <R extends EditedResource>(session: ServiceSession, save: CheckedSave<R>): Promise<Records[R]> => {
	await session.readAgain(save.resource);
	const record = findRecord(session, save);
	if (record === undefined) {
		throw new SwitchboardError('not-found', goneText(save.resource, save.name));
	}

	return record;
};

const saveRecord = async <R extends EditedResource>(session: ServiceSession, save: CheckedSave<R>): Promise<Saved<R>> => {
	await save.whenReady?.();
	const before = await readRecord(session, save);
	if (save.isSaved(before)) {
		return {before, after: before};
	}

	const conflict = save.findConflict(before);
	if (conflict !== undefined) {
		throw new SwitchboardError('conflict', conflict.message, {field: conflict.field});
	}

	const write = async (): Promise<Records[R]> => {
		const after = await save.send(before);
		await replaceRecord(session, save.resource, after);
		return after;
	};

	const after = await writeOrLookUp(session, save.resource, write, () => {
		const found = findRecord(session, save);
		const isSaved = found && save.isSaved(found);
		return isSaved === undefined ? undefined : (isSaved ? {result: found} : {shows: 'The list does not show it'});
	});
	return {before, after};
};

const runSave = async <R extends EditedResource>(session: ServiceSession, save: CheckedSave<R>): Promise<Saved<R>> => {
	const {resource, id, what, variables, shownBy = []} = save;
	const unknown = `It is not known whether the service saved ${what}.`;
	try {
		const saved = await runWrite(session, {key: [`edit-${resource}`, id], unknown, variables}, async () => saveRecord(session, save));
		void readListsAgain(session, shownBy);
		return saved;
	} catch (error) {
		const instead = await save.insteadAfter?.(toSwitchboardError(error));
		if (instead === undefined) {
			throw error;
		}

		return runSave(session, instead);
	}
};

/** `undefined` if the service did not show the old value. */
const undoStepOf = <R extends EditedResource>(session: ServiceSession, {what, reverse}: CheckedSave<R>, {before, after}: Saved<R>): ReversibleStep | undefined => {
	const reversed = reverse(before, after);
	return reversed && {
		what,
		async takeBack() {
			const saved = await runSave(session, reversed.save);
			return {text: reversed.undoneText, reverse: saved.before === saved.after ? undefined : undoStepOf(session, reversed.save, saved)};
		},
	};
};

/**
Saves a change to a record, unless somebody else changed the same thing since the person saw it. If the answer is
lost, the list tells whether it was saved. It can be undone and redone, with the same check.

@returns the record as the service has it now.
@throws SwitchboardError `conflict` if somebody else changed it; the list shows the record as it is now.
*/
export const saveChecked = async <R extends EditedResource>(session: ServiceSession, save: CheckedSave<R>): Promise<Records[R]> => {
	const {what} = save;
	const endEntry = session.undoHistory.begin(`Still saving ${what}.`);
	try {
		const saved = await runSave(session, save);
		endEntry(saved.before === saved.after ? undefined : undoStepOf(session, save, saved) ?? {refusal: `Cannot undo: the service did not show ${what} before.`});
		return saved.after;
	} catch (error_) {
		const error = toSwitchboardError(error_);
		endEntry(error.isOutcomeUnknown ? {refusal: `Cannot undo: it is not known whether the service saved ${what}.`} : undefined);
		throw error;
	}
};
