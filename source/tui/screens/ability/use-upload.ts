import {useEffect, useEffectEvent, useRef, useState} from 'react';
import {namedChanges} from '../../../bundle/compare-files.ts';
import {isNameTaken} from '../../../client/abilities.ts';
import {SwitchboardError, toSwitchboardError} from '../../../interface/errors.ts';
import {absenceCheck, installedLookup, versionInUse} from '../../../interface/installed-lookup.ts';
import {findNearNamesakes, listCandidates} from '../../../interface/name-index.ts';
import {splitTriggerPhrases} from '../../../interface/names.ts';
import {rawName, type Ability} from '../../../interface/records.ts';
import {useUiServices} from '../../app-context.ts';
import {expandPath, inspectNow, type Inspection} from '../../hooks/inspection.ts';
import {useServiceSession, type ServiceSession} from '../../hooks/service-session.ts';
import {refreshUploadLists, releaseAbility, uploadAbility, type UploadPhase} from '../../hooks/upload.ts';
import {keyName, type Keymap} from '../../../words/keymap.ts';
import {askQuestion} from '../confirm.tsx';
import {refuseChange} from '../refuse-change.ts';
import {leavesSkillSilent, silentSkillText} from '../../state/edit-words.ts';
import {chosenCategory, firstProblem, isNewVersionOffered, useUploadForm, validateUpload, type UploadForm} from './upload-form.ts';

const sendingWords = {upload: {doing: 'uploading', done: 'uploaded'}, release: {doing: 'releasing', done: 'released'}} as const;

type Sent = {
	readonly id: number | undefined;
	readonly refusal: string;
	readonly done: string;
	/** The sentence about it once the lists were refreshed. */
	report(): string;
};

type Sending = keyof typeof sendingWords;

/** Checks and uploads the form's values, and shows the outcome in the list or at the field. */
export function useUpload(inspection: Inspection) {
	const ui = useUiServices();
	const {store} = ui;
	const session = useServiceSession();
	const {
		changes: {undoHistory},
	} = session;
	const [, uploadForm] = useUploadForm();
	const [phase, setPhase] = useState<UploadPhase | undefined>(undefined);
	/** The reading of the files before they are sent, or the sending. */
	const underWay = useRef<{readonly controller: AbortController; readonly isChecking: boolean} | undefined>(undefined);

	const begin = (isChecking: boolean): AbortSignal => {
		const controller = new AbortController();
		underWay.current = {controller, isChecking};
		setPhase({kind: 'packing'});
		return controller.signal;
	};

	const end = (): void => {
		underWay.current = undefined;
		setPhase(undefined);
	};

	const prefill = (found: Inspection): void => {
		if (found.kind === 'ability' && found.ability.files.length > 0) {
			uploadForm.prefill(found.ability);
		}
	};

	const prefillAsSeen = useEffectEvent(() => prefill(inspection));
	const ability = inspection.kind === 'ability' ? inspection.ability : undefined;
	useEffect(() => prefillAsSeen(), [ability]);

	/**
	Reports a finished upload or release once the lists show it. The cursor goes to its ability, unless it was moved in the meantime; a list
	that was not read yet had no cursor.
	*/
	const show = async ({id, done, report}: Sent): Promise<void> => {
		const {cursorId} = store.getState().views.abilities.list;
		const progress = `${done} Refreshing the lists…`;
		store.dispatch({type: 'progress', text: progress});
		await refreshUploadLists(session);
		if (store.getState().progress === progress) {
			store.dispatch({type: 'progress', text: undefined});
		}

		ui.say('info', report());
		const {list} = store.getState().views.abilities;
		if (id !== undefined && (cursorId === undefined || list.cursorId === cursorId)) {
			store.dispatch({type: 'change-list', screen: 'abilities', list: {...list, cursorId: id}});
		}
	};

	const send: Readonly<Record<Sending, (form: UploadForm, signal: AbortSignal) => Promise<Sent>>> = {
		async upload({path, name, description, category, phrases, image, agent}, signal) {
			const {id, detail, isTooLateToCancel} = await uploadAbility(
				session,
				{
					path: expandPath(path),
					name,
					description,
					category,
					triggerPhrases: splitTriggerPhrases(phrases),
					imagePath: image === '' ? undefined : expandPath(image),
					agentId: agent,
				},
				{signal, onPhase: setPhase},
			);
			return {
				id,
				refusal: `Cannot undo: ${name} was uploaded. ${keyName(ui.keymap, 'delete')} on the Abilities screen deletes it.`,
				done: `${name} is uploaded.`,
				report() {
					const done = `${name} ${isTooLateToCancel ? 'was uploaded before it could be cancelled' : 'is uploaded'}${id === undefined ? '' : ` (id ${id})`}`;
					const state = stateOf(session, id, ui.keymap);
					// The service's own words may repeat the state.
					return state === undefined ? `${done}. ${detail}`.trim() : `${done}, ${state}.`;
				},
			};
		},
		async release({path, name}, signal) {
			const {
				ability: {id},
				version,
				files,
			} = await releaseAbility(session, {path: expandPath(path), name}, {signal, onPhase: setPhase});
			return {
				id,
				refusal: `Cannot undo: a new version of ${name} was released.`,
				done: `A new version of ${name} is released.`,
				report() {
					const released = session.records.seen('abilities')?.find(each => each.id === id);
					const newest = version ?? (released && versionInUse(released));
					return `Released ${newest === undefined ? 'a new version' : `version ${newest}`} of ${name}: ${namedChanges(files)}.`;
				},
			};
		},
	};

	/** Shows a refusal at its field. If the name belongs to an existing ability, a new version of that is offered. */
	const refuse = (error: SwitchboardError, kind: Sending): void => {
		const {name} = uploadForm.get();
		if (kind === 'upload' && isNameTaken(error, name, session.records.seen('abilities'))) {
			const taken = new SwitchboardError(error.kind, error.message, {nextStep: 'ctrl+s releases these files as a new version of it.'});
			uploadForm.refuse(taken, name);
		} else {
			uploadForm.refuse(error);
		}
	};

	const sendForm = async (kind: Sending): Promise<void> => {
		const form = uploadForm.get();
		const {name} = form;
		const words = sendingWords[kind];
		const endEntry = undoHistory.begin(`Still ${words.doing} ${name}.`);
		try {
			const sent = await send[kind](form, begin(false));
			endEntry({refusal: sent.refusal});
			session.changes.lately.add('you', [{subject: name, what: words.done}]);
			uploadForm.clear();
			if (store.getState().overlays.at(-1)?.kind === 'upload') {
				store.dispatch({type: 'close'});
			}

			void show(sent);
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
			end();
		}
	};

	const isSilent = (): boolean => {
		const {category, phrases} = uploadForm.get();
		return leavesSkillSilent(category, phrases);
	};

	const askAboutSilence = (): void => {
		askQuestion(ui, {
			question: `Upload ${uploadForm.get().name} without a trigger phrase?`,
			details: [silentSkillText],
			yes: 'upload without',
			onYes() {
				void checkAndSend(true);
			},
		});
	};

	/**
	Returns the abilities with nearly the typed name, as far as they are known. An ability with exactly this name is not among them, because
	the service refuses to have two.
	*/
	const findTwins = (): readonly Ability[] => {
		const {name} = uploadForm.get();
		const near = findNearNamesakes(session.records.seen('abilities') ?? [], name);
		return near.some(ability => rawName(ability) === name) ? [] : near;
	};

	const askAboutTwins = (twins: readonly Ability[]): void => {
		askQuestion(ui, {
			question: `Create ${uploadForm.get().name} as well?`,
			details: [`There is an ability of nearly that name: ${listCandidates(twins)}. To release these files there, type its name.`],
			yes: 'create another one',
			onYes() {
				void checkAndSend(true, true);
			},
		});
	};

	/** Reads the files again, which may have changed since the path was typed, and uploads them if there is no problem. */
	const checkAndSend = async (isSilenceConfirmed: boolean, isTwinConfirmed = false): Promise<void> => {
		const signal = begin(true);
		const form = uploadForm.get();
		const {path, image} = form;
		const now = await inspectNow(session, expandPath(path), chosenCategory(form), expandPath(image));
		if (signal.aborted) {
			return;
		}

		end();
		prefill(now);
		const field = firstProblem(validateUpload(uploadForm.get(), now));
		const twins = isTwinConfirmed ? [] : findTwins();
		uploadForm.focus(field ?? 'upload');
		if (field === undefined && isSilent() && !isSilenceConfirmed) {
			askAboutSilence();
		} else if (field === undefined && twins.length > 0) {
			askAboutTwins(twins);
		} else if (field === undefined) {
			await sendForm('upload');
		}
	};

	return {
		/** `undefined` while nothing is being uploaded. */
		phase,
		/** The current value, for a key that comes before the next frame. */
		isUnderWay: () => underWay.current !== undefined,
		/**
		Uploads the form's values with the present files, or moves the focus to the first problem. Asks about a new version if that is
		offered.
		*/
		submit(): void {
			if (underWay.current !== undefined || refuseChange(ui, 'upload')) {
				return;
			}

			const {name} = uploadForm.get();
			if (isNewVersionOffered(uploadForm.get())) {
				askQuestion(ui, {
					question: `Release these files as a new version of ${name}?`,
					details: ['Its name, category, phrases, image and agents stay as they are.'],
					yes: 'release',
					onYes() {
						uploadForm.submit();
						void sendForm('release');
					},
				});
				return;
			}

			uploadForm.submit();
			// The next key may be the answer, so the question does not wait for the files.
			if (isSilent() && firstProblem(validateUpload(uploadForm.get(), inspection)) === undefined) {
				uploadForm.focus('upload');
				askAboutSilence();
			} else {
				void checkAndSend(false);
			}
		},
		cancel(): void {
			underWay.current?.controller.abort();
			if (!underWay.current?.isChecking) {
				return;
			}

			end();
			ui.say('info', 'Upload cancelled. The form is unchanged.');
		},
	};
}

/** Tells whether the lists show it as installed, and on or off; `undefined` if they do not. */
function stateOf(session: ServiceSession, id: number | undefined, keymap: Keymap): string | undefined {
	const ability = session.records.seen('abilities')?.find(each => each.id === id);
	const installed = session.records.seen('installed');
	if (ability === undefined || installed === undefined) {
		return undefined;
	}

	const record = installedLookup(installed)(ability);
	if (record === undefined) {
		return absenceCheck(installed)(ability) ? `not installed: ${keyName(keymap, 'install')} installs it` : undefined;
	}

	return record.isEnabled === undefined ? 'installed' : `installed and ${record.isEnabled ? 'on' : 'off'}`;
}
