import {useRef, useState} from 'react';
import {notifyManager} from '@tanstack/react-query';
import {type AbilityOverrides} from '../../bundle/ability-draft.ts';
import {toSwitchboardError} from '../../interface/errors.ts';
import {
	cancelledUpload,
	findUpload,
	abilityIds,
	type Uploaded,
} from './find-upload.ts';
import {releaseAbility, type Released, type ReleaseRequest} from './release-ability.ts';
import {useServiceSession} from './service-session.ts';
import {readListsAgain} from './list-updates.ts';
import {runWrite} from './writes.ts';

type UploadRequest = AbilityOverrides & {
	/** The ability's folder, or a zip of it. */
	readonly path: string;
	readonly name: string;
	readonly agentId: number | undefined;
};

/** The progress of an upload; `fraction` is the part of the bytes that was sent, 0 to 1. */
export type UploadPhase =
	| {readonly kind: 'packing'}
	| {readonly kind: 'sending'; readonly fraction: number; readonly sizeBytes: number};

type UploadAbility = {
	/** `undefined` while nothing is being uploaded. */
	readonly phase: UploadPhase | undefined;
	/**
	Packs an ability and sends it.

	@throws SwitchboardError with the refused field, if any; `interrupted` if it was cancelled in time.
	*/
	upload(request: UploadRequest): Promise<Uploaded>;
	/** Releases a new version of an ability; throws as `releaseAbility` does. */
	release(request: ReleaseRequest): Promise<Released>;
	cancel(): void;
	/** Refreshes the lists that show an upload; resolves once the screens have them. */
	refreshLists(): Promise<void>;
};

/** Draws a frame for each percent, not for each packet. */
const createOnProgress = (show: (fraction: number) => void) => {
	let shownPercent = -1;
	return (fraction: number): void => {
		const percent = Math.floor(fraction * 100);
		if (percent <= shownPercent) {
			return;
		}

		shownPercent = percent;
		show(fraction);
	};
};

/** The write behind uploading: packs an ability and sends it, and can be cancelled. */
export const useUploadAbility = (): UploadAbility => {
	const session = useServiceSession();
	const [phase, setPhase] = useState<UploadPhase | undefined>(undefined);
	const controller = useRef<AbortController | undefined>(undefined);

	const progressOf = (sizeBytes: number): ((fraction: number) => void) => createOnProgress(fraction => {
		setPhase({kind: 'sending', fraction, sizeBytes});
	});

	const packAndSend = async ({path, agentId, ...overrides}: UploadRequest, signal: AbortSignal): Promise<Uploaded> => {
		// Loaded only now: most people upload nothing.
		const {packAbility} = await import('../../bundle/pack-ability.ts');
		const packed = await packAbility(path, overrides);
		if (signal.aborted) {
			throw cancelledUpload();
		}

		const {name, image, sizeBytes} = packed;
		const idsBefore = abilityIds(session);
		let isWholeSent = false;
		const showProgress = progressOf(sizeBytes);
		const onProgress = (fraction: number): void => {
			isWholeSent = fraction === 1;
			showProgress(fraction);
		};

		onProgress(0);
		try {
			const {capabilityId, detail} = await session.client.uploadAbility(
				{...packed, agentId, image: image && {fileName: image.name, type: image.type, bytes: image.bytes}},
				{signal, onProgress},
			);
			return {
				name, id: capabilityId, detail, isTooLateToCancel: false,
			};
		} catch (error_) {
			const error = toSwitchboardError(error_);
			if (error.isOutcomeUnknown) {
				return findUpload(session, name, idsBefore, {error, isWholeSent});
			}

			throw error.kind === 'interrupted' ? cancelledUpload() : error;
		}
	};

	const run = async <Result>(kind: string, name: string, unknown: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> => {
		controller.current = new AbortController();
		const {signal} = controller.current;
		try {
			return await runWrite(session, {key: [kind, name], unknown}, async () => {
				setPhase({kind: 'packing'});
				return work(signal);
			});
		} finally {
			setPhase(undefined);
		}
	};

	return {
		phase,
		upload: async request => run(
			'upload-ability',
			request.name,
			`It is not known whether ${request.name} was uploaded.`,
			async signal => packAndSend(request, signal),
		),
		release: async request => run(
			'release-ability',
			request.name,
			`It is not known whether the new version of ${request.name} was released.`,
			async signal => releaseAbility(session, request, {signal, progressOf}),
		),
		cancel() {
			controller.current?.abort();
		},
		async refreshLists() {
			await readListsAgain(session, ['abilities', 'installed', 'agents']);
			await new Promise<void>(resolve => {
				notifyManager.schedule(resolve);
			});
		},
	};
};
