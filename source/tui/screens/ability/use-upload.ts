import {useEffect, useEffectEvent, useRef} from 'react';
import {toSwitchboardError} from '../../../interface/errors.ts';
import {splitTriggerPhrases} from '../../../interface/names.ts';
import {useUiServices} from '../../app-context.ts';
import {expandPath} from '../../hooks/complete-path.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {useUploadAbility, type UploadPhase} from '../../hooks/use-upload-ability.ts';
import {type Uploaded} from '../../hooks/find-upload.ts';
import {type Inspection} from '../../hooks/use-inspection.ts';
import {keyName} from '../../keys/hints.ts';
import {refuseWhenReadOnly} from '../read-only.ts';
import {ask} from '../ask.ts';
import {leavesSkillSilent, silentSkillText} from './phrase-rules.ts';
import {uploadedText} from './uploaded-text.ts';
import {useUploadForm} from './use-upload-form.ts';
import {firstProblem, validateUpload} from './validate-upload.ts';

type Upload = {
	readonly phase: UploadPhase | undefined;
	/** The current value, for a key that comes before the next frame. */
	isUnderWay(): boolean;
	/** Uploads what the form holds, or moves the focus to the first problem. */
	submit(): void;
	cancel(): void;
};

/** Checks and uploads what the form holds, and shows the outcome in the list or at the field. */
export const useUpload = (inspection: Inspection): Upload => {
	const ui = useUiServices();
	const {store} = ui;
	const session = useServiceSession();
	const {undoHistory} = session;
	const [{isConfirmed}, formStore] = useUploadForm();
	const {phase, upload, cancel, refreshLists} = useUploadAbility();
	const isUnderWay = useRef(false);

	const close = (): void => {
		if (store.getState().overlays.at(-1)?.kind === 'upload') {
			store.dispatch({type: 'close'});
		}
	};

	/**
	Reports the upload once the lists show it. The cursor goes to the new ability, unless it was moved in the meantime; a list
	that was not read yet had no cursor.
	*/
	const show = async (uploaded: Uploaded): Promise<void> => {
		const {name, id} = uploaded;
		const {cursorId} = store.getState().views.abilities.list;
		const progress = `${name} is uploaded. Refreshing the lists…`;
		store.dispatch({type: 'progress', text: progress});
		await refreshLists();
		if (store.getState().progress === progress) {
			store.dispatch({type: 'progress', text: undefined});
		}

		ui.say('info', uploadedText(session, uploaded, ui.keymap));
		const {list} = store.getState().views.abilities;
		if (id !== undefined && (cursorId === undefined || list.cursorId === cursorId)) {
			store.dispatch({type: 'change-list', screen: 'abilities', list: {...list, cursorId: id}});
		}
	};

	const send = async (): Promise<void> => {
		const {path, name, description, category, phrases, image, agent} = formStore.getState();
		isUnderWay.current = true;
		const endEntry = undoHistory.begin(`Still uploading ${name}.`);
		try {
			const uploaded = await upload({
				path: expandPath(path),
				name,
				description,
				category,
				triggerPhrases: splitTriggerPhrases(phrases),
				imagePath: image === '' ? undefined : expandPath(image),
				agentId: agent,
			});
			endEntry({refusal: `Cannot undo: ${name} was uploaded. ${keyName(ui.keymap, 'delete')} on the Abilities screen deletes it.`});
			formStore.dispatch({type: 'clear'});
			close();
			void show(uploaded);
		} catch (error_) {
			const error = toSwitchboardError(error_);
			endEntry(error.isOutcomeUnknown ? {refusal: `Cannot undo: it is not known whether ${name} was uploaded.`} : undefined);
			if (error.kind === 'interrupted') {
				ui.say('info', `${error.message} ${error.nextStep ?? 'The form is unchanged.'}`);
			} else {
				formStore.dispatch({type: 'refuse', error});
				if (store.getState().leaving !== undefined) {
					ui.say('error', `Could not upload ${name}: ${error.message}`);
				}
			}
		} finally {
			isUnderWay.current = false;
		}
	};

	// A question unmounts the form: the new form sends the confirmed upload, so that it can cancel it.
	const sendConfirmed = useEffectEvent(() => {
		formStore.dispatch({type: 'confirm', isConfirmed: false});
		void send();
	});
	useEffect(() => {
		if (isConfirmed) {
			sendConfirmed();
		}
	}, [isConfirmed]);

	const sendOrAsk = (): void => {
		const {name, category, phrases} = formStore.getState();
		if (!leavesSkillSilent(category, phrases)) {
			void send();
			return;
		}

		ask(ui, {
			question: `Upload ${name} without a trigger phrase?`,
			details: [silentSkillText],
			yes: 'upload without',
			onYes() {
				formStore.dispatch({type: 'confirm', isConfirmed: true});
			},
		});
	};

	return {
		phase,
		isUnderWay: () => isUnderWay.current,
		submit() {
			if (isUnderWay.current || refuseWhenReadOnly(ui)) {
				return;
			}

			formStore.dispatch({type: 'submit'});
			const field = firstProblem(validateUpload(formStore.getState(), inspection));
			formStore.dispatch({type: 'focus', field: field ?? 'upload'});
			if (field === undefined) {
				sendOrAsk();
			}
		},
		cancel,
	};
};
