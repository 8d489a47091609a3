import {notifyManager} from '@tanstack/react-query';
import type {FileChange} from '../../bundle/compare-files.ts';
import type {AbilityOverrides, PackedAbility} from '../../bundle/pack-ability.ts';
import {findingOf, sendChange} from '../../changes/send-changes.ts';
import type {ReleaseAdvice} from '../../client/release-source.ts';
import {isCategory} from '../../interface/categories.ts';
import {SwitchboardError, toSwitchboardError, unknownOutcomeError} from '../../interface/errors.ts';
import {indexNames} from '../../interface/name-index.ts';
import type {Ability} from '../../interface/records.ts';
import type {ServiceSession} from './service-session.ts';
import {readListsAgain, runWrite} from './writes.ts';

/** The progress of an upload; `fraction` is the part of the bytes that was sent, 0 to 1. */
export type UploadPhase = {readonly kind: 'packing'} | {readonly kind: 'sending'; readonly fraction: number; readonly sizeBytes: number};

type UploadRequest = AbilityOverrides & {
	/** The ability's folder, or a zip of it. */
	readonly path: string;
	readonly name: string;
	readonly agentId: number | undefined;
};

type PackedUpload = Pick<PackedAbility, 'name' | 'description' | 'category' | 'triggerPhrases' | 'zip' | 'sizeBytes' | 'image'> &
	Pick<UploadRequest, 'agentId'>;

type Sending = {readonly signal: AbortSignal; onPhase(phase: UploadPhase): void};

type Uploaded = {
	/** `undefined` if it is in neither the answer nor the list of abilities. */
	readonly id: number | undefined;
	/** The service's own words; may be empty. */
	readonly detail: string;
	readonly isTooLateToCancel: boolean;
};

/**
Sends a packed ability. If the answer is lost, the list of abilities tells whether it arrived.

@throws SwitchboardError with `isOutcomeUnknown` if the list does not have it, but it may still arrive.
*/
export async function sendPacked(session: ServiceSession, packed: PackedUpload, sending: Sending): Promise<Uploaded> {
	const {signal} = sending;
	const {name, image, sizeBytes} = packed;
	const before = session.records.seen('abilities');
	const idsBefore = new Set(before?.map(({id}) => id));
	const showProgress = progressOf(sizeBytes, sending);
	let isWholeSent = false;
	const onProgress = (fraction: number): void => {
		isWholeSent = fraction === 1;
		showProgress(fraction);
	};

	onProgress(0);
	return sendChange<Uploaded, true>({
		async send() {
			try {
				const {capabilityId, detail} = await session.records.client.uploadAbility(
					{...packed, image: image && {fileName: image.name, type: image.type, bytes: image.bytes}},
					{signal, onProgress},
				);
				return {id: capabilityId, detail, isTooLateToCancel: false};
			} catch (error_) {
				const error = toSwitchboardError(error_);
				throw error.kind === 'interrupted' && !error.isOutcomeUnknown ? cancelled('Upload') : error;
			}
		},
		lookUp: {
			read: async () => (before !== undefined && (await readListsAgain(session, ['abilities', 'installed']))) || undefined,
			find() {
				// Some services list no names: a new ability without a name is taken for it.
				const id = session.records.seen('abilities')?.find(each => !idsBefore.has(each.id) && (each.raw['name'] ?? name) === name)?.id;
				return findingOf(id !== undefined, {id, detail: '', isTooLateToCancel: signal.aborted});
			},
			explain(error, _item, finding) {
				if (finding === undefined) {
					return error;
				}

				if (signal.aborted) {
					return isWholeSent
						? unknownOutcomeError(
								error,
								`The upload was cancelled after everything was sent: ${name} may still arrive.`,
								'Refresh the list before you upload it again.',
							)
						: cancelled('Upload');
				}

				const {kind, message, status, nextStep} = error;
				// No service accepts a partial upload.
				return isWholeSent
					? unknownOutcomeError(error, 'It is not in the list of abilities, but it may still arrive.', nextStep)
					: new SwitchboardError(kind, message, {status, nextStep: 'It is not in the list of abilities.'});
			},
		},
	});
}

/** Reports each percent rather than each packet, because each report draws a frame. */
function progressOf(sizeBytes: number, {onPhase}: Sending): (fraction: number) => void {
	let shownPercent = -1;
	return fraction => {
		const percent = Math.floor(fraction * 100);
		if (percent <= shownPercent) {
			return;
		}

		shownPercent = percent;
		onPhase({kind: 'sending', fraction, sizeBytes});
	};
}

export function cancelled(what: 'Upload' | 'Release'): SwitchboardError {
	return new SwitchboardError('interrupted', `${what} cancelled.`);
}

/**
Packs an ability and sends it. If the answer is lost, the list of abilities tells whether it arrived.

@throws SwitchboardError with the refused field, if any; `interrupted` if it was cancelled in time.
*/
export async function uploadAbility(session: ServiceSession, request: UploadRequest, sending: Sending): Promise<Uploaded> {
	const {name} = request;
	return runWrite(session, {key: ['upload-ability', name], unknown: `It is not known whether ${name} was uploaded.`}, async () =>
		packAndSend(session, request, sending),
	);
}

async function packAndSend(session: ServiceSession, {path, agentId, ...overrides}: UploadRequest, sending: Sending): Promise<Uploaded> {
	// Loaded only now, because most people never upload.
	const {packAbility} = await import('../../bundle/pack-ability.ts');
	const packed = await packAbility(path, overrides);
	if (sending.signal.aborted) {
		throw cancelled('Upload');
	}

	return sendPacked(session, {...packed, agentId}, sending);
}

const advice: ReleaseAdvice = {
	replaceElsewhere: 'Replace it in the dashboard.',
	install: () => 'Install it first.',
	check: () => 'Try again: it sends only what differs.',
};

/** For reading the service's present code, after an answer was lost. */
const lookUpMilliseconds = 5000;

type ReleaseRequest = {
	/** The folder of the new code, or a zip of it. */
	readonly path: string;
	readonly name: string;
};

type Released = {
	readonly ability: Ability;
	/** `undefined` if the service did not name it. */
	readonly version: string | undefined;
	/** The files that differ from the former version. */
	readonly files: readonly FileChange[];
};

/**
Releases the files at a path as a new version of an ability, which keeps everything else.

@throws SwitchboardError `refused` if it has these files already; `not-found` if the service does not offer it; `interrupted` if it was
cancelled.
*/
export async function releaseAbility(session: ServiceSession, request: ReleaseRequest, sending: Sending): Promise<Released> {
	const {name} = request;
	const unknown = `It is not known whether the new version of ${name} was released.`;
	return runWrite(session, {key: ['release-ability', name], unknown}, async () => packAndRelease(session, request, sending));
}

async function packAndRelease(session: ServiceSession, {path, name}: ReleaseRequest, sending: Sending): Promise<Released> {
	const {client} = session.records;
	const {signal} = sending;
	// Loaded only now, because most people never release.
	const [{namedChanges}, {packAbility}, {prepareRelease, releaseSource}] = await Promise.all([
		import('../../bundle/compare-files.ts'),
		import('../../bundle/pack-ability.ts'),
		import('../../client/release-source.ts'),
	]);
	try {
		const ability = await findAbility(session, name);
		const packed = await packAbility(path, {
			name,
			category: isCategory(ability.category) ? ability.category : undefined,
			// The ability keeps its metadata, so values in config.json do not matter.
			triggerPhrases: [],
		});
		const access = {client, signal, advice};
		const prepared = await prepareRelease(access, ability, packed);
		if (prepared === undefined) {
			throw new SwitchboardError('refused', `${ability.name} has these files already, so there is nothing to release.`);
		}

		const {release, files} = prepared;
		if (release.replacedDraft !== undefined) {
			throw new SwitchboardError('refused', `${ability.name} has a draft, version ${release.replacedDraft}, which this would replace.`, {
				nextStep: 'To replace it: switchboard abilities push',
			});
		}

		const version = await releaseSource(access, {
			ability,
			packed,
			message: `Update ${namedChanges(files)}`,
			async send(code) {
				const onProgress = progressOf(code.zip.byteLength, sending);
				onProgress(0);
				return client.releaseCode(release.id, code, {signal, onProgress});
			},
			readAfterwards: async read => read(AbortSignal.timeout(lookUpMilliseconds)).catch(() => undefined),
		});
		return {ability, version, files};
	} catch (error_) {
		const error = toSwitchboardError(error_);
		throw signal.aborted && !error.isOutcomeUnknown ? cancelled('Release') : error;
	}
}

async function findAbility(session: ServiceSession, name: string): Promise<Ability> {
	await session.records.readAgain('abilities');
	const [ability, ...others] = indexNames(session.records.seen('abilities') ?? []).find(name);
	if (ability === undefined || others.length > 0) {
		throw new SwitchboardError(
			'not-found',
			`The list of abilities does not show which one is named ${name}: no new version was released.`,
			{nextStep: advice.replaceElsewhere},
		);
	}

	return ability;
}

/** Refreshes the lists that show an upload; resolves once the screens have them. */
export async function refreshUploadLists(session: ServiceSession): Promise<void> {
	await readListsAgain(session, ['abilities', 'installed', 'agents']);
	await new Promise<void>(resolve => {
		notifyManager.schedule(resolve);
	});
}
