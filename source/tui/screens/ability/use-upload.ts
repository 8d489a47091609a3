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
import {ask} from './ask.ts';
import {firstProblem, validateUpload} from './validate-upload.ts';
import {leavesSkillSilent, silentSkillText} from './no-phrases.ts';
import {uploadedText} from './uploaded-text.ts';
import {useUploadForm} from './use-upload-form.ts';

export type Upload = {
	readonly phase: UploadPhase | undefined;
	/** The same as of now, for a key that comes before the next frame. */
	isUnderWay(): boolean;
	/** Uploads what the form holds, or takes the focus to what keeps it from that. */
	submit(): void;
	cancel(): void;
};

/** What the upload form does: it checks, uploads, and shows what came of it, in the list or at the field. */
export const useUpload = (inspection: Inspection): Upload => {
	const ui = useUiServices();
	const {store} = ui;
	const session = useServiceSession();
	const {undoHistory} = session;
	const [{isAgreedTo}, formStore] = useUploadForm();
	const {phase, upload, cancel, readAgain} = useUploadAbility();
	const isUnderWay = useRef(false);

	const close = (): void => {
		if (store.getState().overlays.at(-1)?.kind === 'upload') {
			store.dispatch({type: 'close'});
		}
	};

	/**
	Says what became of it once the lists tell. The cursor goes to what is new, unless it went elsewhere meanwhile; a list that
	was not read yet had no cursor.
	*/
	const show = async (uploaded: Uploaded): Promise<void> => {
		const {name, id} = uploaded;
		const {cursorId} = store.getState().views.abilities.list;
		const progress = `${name} is uploaded. Reading the lists again…`;
		store.dispatch({type: 'progress', text: progress});
		await readAgain();
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
		const {path, name, description, category, phrases, image, agentId} = formStore.getState();
		isUnderWay.current = true;
		const end = undoHistory.begin(`Still being uploaded: ${name}.`);
		try {
			const uploaded = await upload({
				path: expandPath(path),
				name,
				description,
				category,
				triggerPhrases: splitTriggerPhrases(phrases),
				imagePath: image === '' ? undefined : expandPath(image),
				agentId,
			});
			end({refusal: `${name} was uploaded, and undo does not delete it: ${keyName(ui.keymap, 'delete')} on the Abilities screen does, after a question.`});
			formStore.dispatch({type: 'clear'});
			close();
			void show(uploaded);
		} catch (error_) {
			const error = toSwitchboardError(error_);
			end(error.isOutcomeUnknown ? {refusal: `It is not known whether ${name} was uploaded, so that cannot be undone.`} : undefined);
			if (error.kind === 'interrupted') {
				ui.say('info', `${error.message} ${error.nextStep ?? 'The form is as it was.'}`);
			} else {
				formStore.dispatch({type: 'refuse', error, nextStep: error.nextStep});
				if (store.getState().leaving !== undefined) {
					ui.say('error', `${name} is not uploaded: ${error.message}`);
				}
			}
		} finally {
			isUnderWay.current = false;
		}
	};

	// A question takes the form away: what was agreed to is sent by the form that is there afterwards, and can cancel it.
	const sendAgreed = useEffectEvent(() => {
		formStore.dispatch({type: 'agree', isAgreedTo: false});
		void send();
	});
	useEffect(() => {
		if (isAgreedTo) {
			sendAgreed();
		}
	}, [isAgreedTo]);

	const sendOrAsk = (): void => {
		const {name, category, phrases} = formStore.getState();
		if (!leavesSkillSilent(category, phrases)) {
			void send();
			return;
		}

		ask(ui, {
			question: `Upload ${name} without a trigger phrase?`,
			details: [silentSkillText],
			yes: 'upload it without',
			onYes() {
				formStore.dispatch({type: 'agree', isAgreedTo: true});
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

			formStore.dispatch({type: 'try'});
			const wrong = firstProblem(validateUpload(formStore.getState(), inspection));
			formStore.dispatch({type: 'focus', field: wrong ?? 'upload'});
			if (wrong === undefined) {
				sendOrAsk();
			}
		},
		cancel,
	};
};
