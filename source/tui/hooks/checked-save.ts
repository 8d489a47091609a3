import {recordChanges} from '../../changes/compare-lists.ts';
import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import type {JsonObject} from '../../interface/json.ts';
import {goneText} from '../../interface/lists.ts';
import type {Records, Resource} from '../../interface/records.ts';
import {changeWords} from './lately.ts';
import {changeList} from './list-cache.ts';
import type {ServiceSession} from './service-session.ts';
import type {Done, ReversibleStep} from './undo-history.ts';
import {readListsAgain, runWrite, writeOrLookUp} from './writes.ts';

/** A change to one record, made from what a person saw of it. */
export type CheckedSave<R extends Resource> = {
	readonly resource: R;
	readonly id: number;
	readonly name: string;
	/** The subject of the change, such as “the name of Hearth”. */
	readonly what: string;
	/** The values that are sent, for screens that show them until they are confirmed. */
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
	reverse(
		before: Records[R],
		after: Records[R],
	): {readonly save: CheckedSave<R>; readonly undoneText: string; readonly kept: JsonObject | undefined} | undefined;
	/** The save to try instead after a failure, if the person wants that; then everything is checked anew. */
	insteadAfter?(error: SwitchboardError): Promise<CheckedSave<R> | undefined>;
};

/** A field that is no longer as the person saw it, with the sentence that says so. */
export type Conflict = {readonly field: string; readonly message: string};

type Saved<R extends Resource> = {readonly before: Records[R]; readonly after: Records[R]};

/** True if somebody else changed a record since the person saw it; false for a conflict that the service reports. */
export const isEditConflict = ({kind, status}: SwitchboardError): boolean => kind === 'conflict' && status === undefined;

const findRecord = <R extends Resource>(session: ServiceSession, {resource, id}: CheckedSave<R>): Records[R] | undefined =>
	session.records.seen(resource)?.find(record => record.id === id);

const readRecord = async <R extends Resource>(session: ServiceSession, save: CheckedSave<R>): Promise<Records[R]> => {
	await session.records.readAgain(save.resource);
	const record = findRecord(session, save);
	if (record === undefined) {
		throw new SwitchboardError('not-found', goneText(save.resource, save.name));
	}

	return record;
};

const saveRecord = async <R extends Resource>(session: ServiceSession, save: CheckedSave<R>): Promise<Saved<R>> => {
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
		await changeList(session.records.queryClient, save.resource, records =>
			records.map(record => (record.id === after.id ? after : record)),
		);
		return after;
	};

	const after = await writeOrLookUp(session, save.resource, write, () => {
		const found = findRecord(session, save);
		const isSaved = found && save.isSaved(found);
		return isSaved === undefined ? undefined : isSaved ? {result: found} : {sentence: 'The list does not show it'};
	});
	return {before, after};
};

/**
Saves as `saveChecked` does, without an entry for undo.

@param done - what undo takes back, unless this is an undo or a redo.
*/
export const runSave = async <R extends Resource>(session: ServiceSession, save: CheckedSave<R>, done?: Done): Promise<Saved<R>> => {
	const {resource, id, what, variables, shownBy = []} = save;
	const unknown = `It is not known whether the service saved ${what}.`;
	try {
		const saved = await runWrite(session, {key: [`edit-${resource}`, id], unknown, variables}, async () => saveRecord(session, save));
		session.changes.lately.add('you', changeWords(recordChanges(resource, saved.before, saved.after, id => `#${id}`)), done);
		session.changes.whoChanged.forget(resource, [id]);
		void readListsAgain(session, shownBy);
		return saved;
	} catch (error) {
		const instead = await save.insteadAfter?.(toSwitchboardError(error));
		if (instead === undefined) {
			throw error;
		}

		return runSave(session, instead, done);
	}
};

/** A save as a step of undo or redo, with the sentence that reports it. */
export const stepOf = <R extends Resource>(session: ServiceSession, save: CheckedSave<R>, text: string): ReversibleStep => ({
	what: save.what,
	async takeBack() {
		const saved = await runSave(session, save);
		return {text, reverse: saved.before === saved.after ? undefined : undoStepOf(session, save, saved)};
	},
});

/** `undefined` if the service did not show the old value. */
const undoStepOf = <R extends Resource>(
	session: ServiceSession,
	{what, reverse}: CheckedSave<R>,
	{before, after}: Saved<R>,
): ReversibleStep | undefined => {
	const reversed = reverse(before, after);
	return (
		reversed && {...stepOf(session, reversed.save, reversed.undoneText), what, kept: reversed.kept && {...reversed.kept, at: Date.now()}}
	);
};

/**
Saves a change to a record, unless somebody else changed the same thing since the person saw it. If the answer is
lost, the list tells whether it was saved. It can be undone and redone, with the same check.

@returns the record as the service has it now.
@throws SwitchboardError `conflict` if somebody else changed it; the list shows the record as it is now.
*/
export const saveChecked = async <R extends Resource>(session: ServiceSession, save: CheckedSave<R>): Promise<Records[R]> => {
	const {what} = save;
	const endEntry = session.changes.undoHistory.begin(`Still saving ${what}.`);
	const done = session.changes.undoHistory.newest();
	try {
		const saved = await runSave(session, save, done);
		endEntry(
			saved.before === saved.after
				? undefined
				: (undoStepOf(session, save, saved) ?? {refusal: `Cannot undo: the service did not show ${what} before.`}),
		);
		return saved.after;
	} catch (error_) {
		const error = toSwitchboardError(error_);
		endEntry(error.isOutcomeUnknown ? {refusal: `Cannot undo: it is not known whether the service saved ${what}.`} : undefined);
		throw error;
	}
};
