import {SwitchboardError} from '../../interface/errors.ts';

/** Another program locked the database for longer than a verb waits. */
export class StoreBusyError extends Error {
	override readonly name = 'StoreBusyError';
}

/** The same error for what does not exist and for what belongs to another account. */
export const notFound = (what: string, id: number): SwitchboardError =>
	new SwitchboardError('not-found', `There is no ${what} with the id ${id}.`);

export const nameTaken = (name: string): SwitchboardError =>
	// `openhome-cli` recognizes this error by the words “same name”.
	new SwitchboardError('conflict', `There is already an ability with the same name, “${name}”.`, {
		nextStep: 'Delete it first, or choose another name.',
		field: 'name',
	});
