import {
	useEffect,
	useEffectEvent,
	useRef,
	useState,
} from 'react';
import {isNameTaken} from '../../../client/name-taken.ts';
import {SwitchboardError, toSwitchboardError} from '../../../interface/errors.ts';
import {splitTriggerPhrases} from '../../../interface/names.ts';
import {useUiServices} from '../../app-context.ts';
import {expandPath} from '../../hooks/complete-path.ts';
import {seenRecords} from '../../hooks/seen-records.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {useUploadAbility, type UploadPhase} from '../../hooks/use-upload-ability.ts';
import {inspectNow, type Inspection} from '../../hooks/use-inspection.ts';
import {keyName} from '../../keys/hints.ts';
import {refuseWhenReadOnly} from '../read-only.ts';
import {ask} from '../ask.ts';
import {leavesSkillSilent, silentSkillText} from './phrase-rules.ts';
import {isNewVersionOffered, type UploadForm} from './upload-form.ts';
import {releasedText, uploadedText} from './uploaded-text.ts';
import {useUploadForm} from './use-upload-form.ts';
import {firstProblem, validateUpload} from './validate-upload.ts';

type Upload = {
	readonly phase: UploadPhase | undefined;
	/** The current value, for a key that comes before the next frame. */
	isUnderWay(): boolean;
	/** Uploads what the form holds, as the files are now, or moves the focus to the first problem. Asks about a new version where that is offered. */
	submit(): void;
	cancel(): void;
};

/** What was sent: why it cannot be undone, and how it is shown. */
type Sent = {readonly refusal: string; show(): Promise<void>};

type Send = (form: UploadForm) => Promise<Sent>;

const sendingWords = {
	upload: {doing: 'uploading', done: 'uploaded'},
	release: {doing: 'releasing', done: 'released'},
} as const;

/** Checks and uploads what the form holds, and shows the outcome in the list or at the field. */
export const useUpload = (inspection: Inspection): Upload => {
	const ui = useUiServices();
	const {store} = ui;
	const session = useServiceSession();
	const {undoHistory} = session;
	const [{confirmed}, formStore] = useUploadForm();
	const {
		phase, upload, release, cancel, refreshLists,
	} = useUploadAbility();
	const isUnderWay = useRef(false);
	/** The reading of the files before they are sent. */
	const [check, setCheck] = useState<AbortController | undefined>(undefined);

	const prefill = (found: Inspection): void => {
		if (found.kind === 'ability' && found.ability.files.length > 0) {
			formStore.dispatch({type: 'prefill', ability: found.ability});
		}
	};

	const prefillAsSeen = useEffectEvent(() => {
		prefill(inspection);
	});
	const ability = inspection.kind === 'ability' ? inspection.ability : undefined;
	useEffect(() => {
		prefillAsSeen();
	}, [ability]);

	const close = (): void => {
		if (store.getState().overlays.at(-1)?.kind === 'upload') {
			store.dispatch({type: 'close'});
		}
	};

	/**
	Reports what was sent once the lists show it. The cursor goes to its ability, unless it was moved in the meantime; a list
	that was not read yet had no cursor.
	*/
	const show = async (id: number | undefined, done: string, report: () => string): Promise<void> => {
		const {cursorId} = store.getState().views.abilities.list;
		const progress = `${done} Refreshing the lists…`;
		store.dispatch({type: 'progress', text: progress});
		await refreshLists();
		if (store.getState().progress === progress) {
			store.dispatch({type: 'progress', text: undefined});
		}

		ui.say('info', report());
		const {list} = store.getState().views.abilities;
		if (id !== undefined && (cursorId === undefined || list.cursorId === cursorId)) {
			store.dispatch({type: 'change-list', screen: 'abilities', list: {...list, cursorId: id}});
		}
	};

	const sendUpload: Send = async ({path, name, description, category, phrases, image, agent}) => {
		const uploaded = await upload({
			path: expandPath(path),
			name,
			description,
			category,
			triggerPhrases: splitTriggerPhrases(phrases),
			imagePath: image === '' ? undefined : expandPath(image),
			agentId: agent,
		});
		return {
			refusal: `Cannot undo: ${name} was uploaded. ${keyName(ui.keymap, 'delete')} on the Abilities screen deletes it.`,
			show: async () => show(uploaded.id, `${name} is uploaded.`, () => uploadedText(session, uploaded, ui.keymap)),
		};
	};

	const sendRelease: Send = async ({path, name}) => {
		const released = await release({path: expandPath(path), name});
		return {
			refusal: `Cannot undo: a new version of ${name} was released.`,
			show: async () => show(released.ability.id, `A new version of ${name} is released.`, () => releasedText(session, released)),
		};
	};

	/** Shows at its field what was refused. Of an ability that there is, a new version is offered. */
	const refuse = (error: SwitchboardError, kind: 'upload' | 'release'): void => {
		const {name} = formStore.getState();
		if (kind === 'upload' && isNameTaken(error, name, seenRecords(session, 'abilities'))) {
			const taken = new SwitchboardError(error.kind, error.message, {nextStep: 'ctrl+s releases these files as a new version of it.'});
			formStore.dispatch({type: 'refuse', error: taken, takenName: name});
		} else {
			formStore.dispatch({type: 'refuse', error});
		}
	};

	const send = async (kind: 'upload' | 'release'): Promise<void> => {
		const form = formStore.getState();
		const {name} = form;
		const words = sendingWords[kind];
		isUnderWay.current = true;
		const endEntry = undoHistory.begin(`Still ${words.doing} ${name}.`);
		try {
			const sent = await (kind === 'upload' ? sendUpload : sendRelease)(form);
			endEntry({refusal: sent.refusal});
			formStore.dispatch({type: 'clear'});
			close();
			void sent.show();
		} catch (error_) {
			const error = toSwitchboardError(error_);
			endEntry(error.isOutcomeUnknown ? {refusal: `Cannot undo: it is not known whether ${name} was ${words.done}.`} : undefined);
			if (error.kind === 'interrupted') {
				ui.say('info', `${error.message} ${error.nextStep ?? 'The form is unchanged.'}`);
			} else {
				refuse(error, kind);
				if (store.getState().leaving !== undefined) {
					ui.say('error', `Could not ${kind} ${name}: ${error.message}`);
				}
			}
		} finally {
			isUnderWay.current = false;
		}
	};

	const isSilent = (): boolean => {
		const {category, phrases} = formStore.getState();
		return leavesSkillSilent(category, phrases);
	};

	const askAboutSilence = (): void => {
		ask(ui, {
			question: `Upload ${formStore.getState().name} without a trigger phrase?`,
			details: [silentSkillText],
			yes: 'upload without',
			onYes() {
				formStore.dispatch({type: 'confirm', confirmed: 'upload'});
			},
		});
	};

	const askAboutNewVersion = (): void => {
		const {name} = formStore.getState();
		ask(ui, {
			question: `Release these files as a new version of ${name}?`,
			details: ['Its name, category, phrases, image and agents stay as they are.'],
			yes: 'release',
			onYes() {
				formStore.dispatch({type: 'confirm', confirmed: 'release'});
			},
		});
	};

	const endCheck = (): void => {
		isUnderWay.current = false;
		setCheck(undefined);
	};

	/** Reads the files again, which may have changed since the path was typed, and uploads them if nothing is wrong. */
	const checkAndSend = async (isSilenceConfirmed: boolean): Promise<void> => {
		const controller = new AbortController();
		isUnderWay.current = true;
		setCheck(controller);
		const {path, category, image} = formStore.getState();
		const now = await inspectNow(session, expandPath(path), category, expandPath(image));
		if (controller.signal.aborted) {
			return;
		}

		endCheck();
		prefill(now);
		const field = firstProblem(validateUpload(formStore.getState(), now));
		formStore.dispatch({type: 'focus', field: field ?? 'upload'});
		if (field === undefined && isSilent() && !isSilenceConfirmed) {
			askAboutSilence();
		} else if (field === undefined) {
			await send('upload');
		}
	};

	// A question unmounts the form: the new form sends the confirmed upload, so that it can cancel it.
	const sendConfirmed = useEffectEvent((kind: 'upload' | 'release') => {
		formStore.dispatch({type: 'confirm', confirmed: undefined});
		void (kind === 'upload' ? checkAndSend(true) : send(kind));
	});
	useEffect(() => {
		if (confirmed !== undefined) {
			sendConfirmed(confirmed);
		}
	}, [confirmed]);

	return {
		phase: check === undefined ? phase : {kind: 'packing'},
		isUnderWay: () => isUnderWay.current,
		submit() {
			if (isUnderWay.current || refuseWhenReadOnly(ui)) {
				return;
			}

			if (isNewVersionOffered(formStore.getState())) {
				askAboutNewVersion();
				return;
			}

			formStore.dispatch({type: 'submit'});
			// The next key may be the answer: the question does not wait for the files.
			if (isSilent() && firstProblem(validateUpload(formStore.getState(), inspection)) === undefined) {
				formStore.dispatch({type: 'focus', field: 'upload'});
				askAboutSilence();
			} else {
				void checkAndSend(false);
			}
		},
		cancel() {
			if (check === undefined) {
				cancel();
			} else {
				check.abort();
				endCheck();
				ui.say('info', 'Upload cancelled. The form is unchanged.');
			}
		},
	};
};
