import {useEffect, useEffectEvent, useState} from 'react';
import {namedChanges} from '../../../bundle/compare-files.ts';
import {isNameTaken} from '../../../client/abilities.ts';
import {errorText, type SwitchboardError, toSwitchboardError} from '../../../interface/errors.ts';
import {absenceCheck, installedLookup, versionInUse} from '../../../interface/installed-lookup.ts';
import {findNearNamesakes, listCandidates, nameIdentity} from '../../../interface/name-index.ts';
import {splitTriggerPhrases} from '../../../interface/names.ts';
import {rawName, type Ability} from '../../../interface/records.ts';
import {useUiServices} from '../../app-context.ts';
import {expandPath, inspectNow, type Inspection} from '../../hooks/inspection.ts';
import {useServiceSession, type ServiceSession} from '../../hooks/service-session.ts';
import {cancelled, refreshUploadLists, releaseAbility, uploadAbility, type UploadPhase} from '../../hooks/upload.ts';
import {keyName, type Keymap} from '../../../words/keymap.ts';
import {askQuestion} from '../confirm.tsx';
import type {useForm} from '../form.tsx';
import {refuseChange} from '../refuse-change.ts';
import {fieldOf, firstProblem, textsOf, validateUpload, type UploadField, type UploadTexts} from './upload-form.ts';

const sendingWords = {upload: {doing: 'uploading', done: 'uploaded'}, release: {doing: 'releasing', done: 'released'}} as const;

type Sent = {
	readonly id: number | undefined;
	readonly refusal: string;
	readonly done: string;
	/** The sentence about it once the lists were refreshed. */
	report(): string;
};

type UploadForm = ReturnType<typeof useForm<UploadField>>;

type Sending = keyof typeof sendingWords;

/** Checks and uploads the texts of a form, and shows the outcome in the list or in the form. */
export function useUpload(form: UploadForm, inspection: Inspection) {
	const ui = useUiServices();
	const {store} = ui;
	const session = useServiceSession();
	const {
		changes: {undoHistory},
	} = session;
	const [phase, setPhase] = useState<UploadPhase>({kind: 'packing'});
	/** The name that the service refused because an ability has it. */
	const [takenName, setTakenName] = useState<string | undefined>(undefined);
	const tied = tiedAbility(session, inspection);
	const isTied = tied !== undefined && form.texts.name === rawName(tied);
	const isNewVersionOffered = isTied || (form.refusal?.field === 'name' && form.texts.name === takenName);
	const read = (): UploadTexts => form.read() as UploadTexts;

	const prefill = (found: Inspection): void => {
		if (found.kind === 'ability' && found.ability.files.length > 0) {
			const known = tiedAbility(session, found);
			form.fill(textsOf(known === undefined ? found.ability : {...known, name: rawName(known)}));
		}
	};

	const prefillAsSeen = useEffectEvent(() => prefill(inspection));
	const ability = inspection.kind === 'ability' ? inspection.ability : undefined;
	useEffect(() => prefillAsSeen(), [ability, tied]);

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

	const send: Readonly<Record<Sending, (texts: UploadTexts, signal: AbortSignal) => Promise<Sent>>> = {
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
					agentId: agent === '' ? undefined : Number(agent),
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
		const {name} = read();
		const isTaken = kind === 'upload' && isNameTaken(error, name, session.records.seen('abilities'));
		setTakenName(isTaken ? name : undefined);
		if (isTaken) {
			form.refuse(`There is already an ability “${name}”. Ctrl+S releases these files as its new version; or choose another name.`, 'name');
		} else {
			form.refuse(errorText(error), fieldOf(error));
		}
	};

	/**
	Sends the form, busy meanwhile. Never rejects: a failure is shown in the form.

	@param check - returns how it is sent; `undefined` to send nothing.
	*/
	const run = async (check: (signal: AbortSignal) => Promise<Sending | undefined>): Promise<void> => {
		const {name} = read();
		let kind: Sending = 'upload';
		setPhase({kind: 'packing'});
		await form.run(
			'',
			async signal => {
				const sending = await check(signal);
				if (sending !== undefined) {
					kind = sending;
					await sendNow(sending, signal);
				}
			},
			error => {
				if (error.kind === 'interrupted') {
					ui.say('info', `${error.message} ${error.nextStep ?? 'The form is unchanged.'}`);
					return;
				}

				refuse(error, kind);
				if (store.getState().leaving !== undefined) {
					ui.say('error', `Could not ${kind} ${name}: ${error.message}`);
				}
			},
		);
	};

	const sendNow = async (kind: Sending, signal: AbortSignal): Promise<void> => {
		const texts = read();
		const {name} = texts;
		const words = sendingWords[kind];
		const endEntry = undoHistory.begin(`Still ${words.doing} ${name}.`);
		try {
			const sent = await send[kind](texts, signal);
			endEntry({refusal: sent.refusal});
			session.changes.lately.add('you', [{subject: name, what: words.done}]);
			if (store.getState().overlays.at(-1)?.kind === 'upload') {
				store.dispatch({type: 'close'});
			}

			void show(sent);
		} catch (error) {
			const {isOutcomeUnknown} = toSwitchboardError(error);
			endEntry(isOutcomeUnknown ? {refusal: `Cannot undo: it is not known whether ${name} was ${words.done}.`} : undefined);
			throw error;
		}
	};

	/** Asks about an ability of nearly the name; returns true if it did. */
	const asks = (isTwin: boolean): boolean => {
		const {name} = read();
		const near = findNearNamesakes(session.records.seen('abilities') ?? [], name);
		// The service refuses to have two of exactly this name.
		if (isTwin || near.length === 0 || near.some(each => rawName(each) === name)) {
			return false;
		}

		askQuestion(ui, {
			question: `Create ${name} as well?`,
			details: [`There is an ability of nearly that name: ${listCandidates(near)}. To release these files there, type its name.`],
			yes: 'create another one',
			onYes() {
				void upload(true);
			},
		});
		return true;
	};

	/** Tells whether a folder goes to the ability that it belongs to without a question: nothing was typed that would not be sent. */
	const isReleased = (found: Inspection): boolean => {
		const {path: _path, ...others} = form.get().typed;
		return tiedAbility(session, found) !== undefined && Object.keys(others).length === 0;
	};

	/** Reads the files again, which may have changed since the path was typed, and uploads them if there is no problem. */
	const upload = async (isTwin = false): Promise<void> =>
		run(async signal => {
			const {path, image} = read();
			const now = await inspectNow(session, expandPath(path), form.get().typed.category, expandPath(image));
			if (signal.aborted) {
				throw cancelled('Upload');
			}

			prefill(now);
			const field = firstProblem(validateUpload({...form.get(), texts: read()}, now));
			form.focusOn(field ?? form.get().focus);
			if (isReleased(now)) {
				return field === 'path' ? undefined : 'release';
			}

			return field === undefined && !asks(isTwin) ? 'upload' : undefined;
		});

	return {
		phase,
		isNewVersionOffered,
		/** Uploads the present files, or moves the focus to the first problem. Asks about a new version if that is offered. */
		submit(): void {
			if (refuseChange(ui, 'upload')) {
				return;
			}

			if (isNewVersionOffered && !isReleased(inspection)) {
				askQuestion(ui, {
					question: `Release these files as a new version of ${read().name}?`,
					details: ['Its name, category, phrases, image and agents stay as they are.'],
					yes: 'release',
					onYes() {
						void run(async () => 'release');
					},
				});
				return;
			}

			form.submit();
			void upload();
		},
	};
}

/** Returns the ability that the folder belongs to, unless it has another name by now: ids may have begun anew. */
function tiedAbility(session: ServiceSession, found: Inspection): Ability | undefined {
	const tie = found.kind === 'ability' ? found.tie : undefined;
	const ability = tie && session.records.seen('abilities')?.find(({id}) => id === tie.id);
	return ability !== undefined && tie?.name !== undefined && nameIdentity(tie.name) === nameIdentity(rawName(ability))
		? ability
		: undefined;
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
