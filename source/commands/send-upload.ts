import type {AbilityUpload, ResourceList, UploadResult} from '../client/client.ts';
import {isNameTaken} from '../client/name-taken.ts';
import {SwitchboardError, toSwitchboardError, unknownOutcomeError} from '../interface/errors.ts';
import type {Ability} from '../interface/records.ts';
import type {Context} from './context.ts';
import {readAfterwards, writeOnce} from './unknown-outcome.ts';
import type {Service} from './with-service.ts';

/** The abilities before the upload, to tell later which one is new. */
const readBefore = async (signal: AbortSignal, {client}: Service): Promise<ResourceList<Ability> | undefined> => {
	try {
		return await client.list('abilities', signal);
	} catch (error_) {
		const error = toSwitchboardError(error_);
		if (error.status === undefined) {
			throw error;
		}

		// A service that refuses the list may still accept the upload.
		return undefined;
	}
};

/**
Sends an upload. If no answer comes, the list says whether there is a new ability of that name.

@param before - the abilities before the upload; `undefined` if they could not be read.
@throws SwitchboardError with `isOutcomeUnknown` if it may still arrive.
*/
export const uploadAndLookUp = async (context: Context, {client}: Service, upload: AbilityUpload, before: ResourceList<Ability> | undefined): Promise<UploadResult> => {
	const {name} = upload;
	const onProgress = (fraction: number): void => {
		context.showProgress(fraction < 1 ? `Uploading ${name}: ${Math.floor(fraction * 100)} %` : `Uploaded ${name}; waiting for the answer …`);
	};

	try {
		// An upload may take as long as the line needs; it has a limit of its own for standing still.
		return await context.waitFor(async () => client.uploadAbility(upload, {onProgress, signal: context.signal}));
	} catch (error_) {
		const error = toSwitchboardError(error_);
		if (!error.isOutcomeUnknown || !before?.isComplete) {
			throw error;
		}

		const after = await readAfterwards(context, async signal => client.list('abilities', signal));
		const known = new Set(before.records.map(({id}) => id));
		const arrived = after?.records.find(({id, raw}) => raw['name'] === name && !known.has(id));
		if (arrived !== undefined) {
			return {capabilityId: arrived.id, detail: ''};
		}

		throw after?.isComplete ? unknownOutcomeError(error, 'It is not in the list yet: it was sent and may still arrive.', error.nextStep) : error;
	}
};

/**
Uploads the one ability of a command: does what `uploadAndLookUp` does, and notes the outcome after a signal.

@param stepIfTaken - returns what to do where there is an ability of that name.
*/
export const sendUpload = async (context: Context, service: Service, upload: AbilityUpload, stepIfTaken: () => Promise<string>): Promise<UploadResult> => {
	const {name} = upload;
	return writeOnce(context, {
		async write() {
			context.showProgress('Reading the list of abilities …');
			const before = await readBefore(context.readSignal, service);
			try {
				return await uploadAndLookUp(context, service, upload, before);
			} catch (error_) {
				const error = toSwitchboardError(error_);
				if (!isNameTaken(error, name, before?.records)) {
					throw error;
				}

				const {kind, message, status, field} = error;
				throw new SwitchboardError(kind, message, {
					nextStep: await stepIfTaken(), status, field, cause: error,
				});
			}
		},
		ifDone: `${name} was uploaded.`,
		ifUnknown: `It is not known whether ${name} has arrived: check the list before you upload it again.`,
		ifNotSent: `${name} was not uploaded.`,
	});
};
