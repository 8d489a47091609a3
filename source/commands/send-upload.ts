import type {AbilityUpload, ResourceList, UploadResult} from '../client/client.ts';
import {toSwitchboardError} from '../interface/errors.ts';
import type {Ability} from '../interface/records.ts';
import type {Context} from './context.ts';
import {unknownOutcomeError, readListAfterwards, writeOnce} from './unknown-outcome.ts';
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
Uploads an ability. If no answer comes, the list says whether there is a new one of that name.

@throws SwitchboardError with `isOutcomeUnknown` if it may still arrive.
*/
export const sendUpload = async (context: Context, service: Service, upload: AbilityUpload): Promise<UploadResult> => {
	const {client} = service;
	const {name} = upload;
	const onProgress = (fraction: number): void => {
		context.showProgress(fraction < 1 ? `Uploading ${name}: ${Math.floor(fraction * 100)} %` : `Uploaded ${name}; waiting for the answer …`);
	};

	let before: ResourceList<Ability> | undefined;
	try {
		return await writeOnce(context, {
			async write() {
				context.showProgress('Reading the list of abilities …');
				before = await readBefore(context.readSignal, service);
				// An upload may take as long as the line needs; it has a limit of its own for standing still.
				return context.waitFor(async () => client.uploadAbility(upload, {onProgress, signal: context.signal}));
			},
			ifDone: `${name} was uploaded.`,
			ifUnknown: `It is not known whether ${name} has arrived: check the list before you upload it again.`,
			ifNotSent: `${name} was not uploaded.`,
		});
	} catch (error_) {
		const error = toSwitchboardError(error_);
		if (!error.isOutcomeUnknown || !before?.isComplete) {
			throw error;
		}

		const after = await readListAfterwards(context, async signal => client.list('abilities', signal));
		const known = new Set(before.records.map(({id}) => id));
		const arrived = after?.records.find(({id, raw}) => raw['name'] === name && !known.has(id));
		if (arrived !== undefined) {
			return {capabilityId: arrived.id, detail: ''};
		}

		throw after?.isComplete ? unknownOutcomeError(error, 'It is not in the list yet: it was sent and may still arrive.', error.nextStep) : error;
	}
};
