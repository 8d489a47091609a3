import {useState, type ReactElement} from 'react';
import {Box} from 'ink';
import {categories} from '../../../interface/categories.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {completePath, expandPath, pathKind} from '../../hooks/complete-path.ts';
import {useAgents} from '../../hooks/use-agents.ts';
import {useInspection} from '../../hooks/use-inspection.ts';
import {layers, useKeys} from '../../keys/use-keys.ts';
import {type Key} from '../../terminal/key.ts';
import {type Hint} from '../../state/hint.ts';
import {
	DetailFrame,
	detailLayoutOf,
	TitleLine,
	useProfileNote,
} from '../detail-frame.tsx';
import {visibleRows} from './form-rows.ts';
import {validateUpload, type FieldNote} from './validate-upload.ts';
import {
	isNewVersionOffered,
	uploadFields,
	type TextName,
	type UploadField,
	type UploadForm,
} from './upload-form.ts';
import {labelWidth, UploadRow} from './upload-row.tsx';
import {useUploadForm} from './use-upload-form.ts';
import {useUpload} from './use-upload.ts';

const extensions = {path: ['.zip'], image: ['.png', '.jpg', '.jpeg']} as const;

/** By how many fields a key moves the focus. */
const focusSteps = new Map([['enter', 1], ['down', 1], ['tab', 1], ['up', -1], ['shift+tab', -1]]);

/** By how many choices a key moves on. */
const choiceSteps = new Map([['right', 1], ['space', 1], ['left', -1]]);

const isCompleted = (field: UploadField): field is keyof typeof extensions => Object.hasOwn(extensions, field);

/** The next choice, or the one before, around the ends. */
const neighbour = <Choice,>(choices: readonly Choice[], chosen: Choice, by: number): Choice =>
	choices[(choices.indexOf(chosen) + by + choices.length) % choices.length]!;

const hintsOf = (form: UploadForm, isUnderWay: boolean): readonly Hint[] => {
	if (isUnderWay) {
		return [{key: 'esc', label: 'cancel the upload'}];
	}

	const {focus} = form;
	const sending = isNewVersionOffered(form) ? 'new version' : 'upload';
	const enter = {key: 'enter', label: focus === 'upload' ? sending : 'next'};
	const own: readonly Hint[] = isCompleted(focus)
		? [{key: 'tab', label: 'complete'}]
		: (focus === 'category' || focus === 'agent' ? [{key: 'left/right', label: 'choose'}] : []);
	return [enter, ...own, {key: 'ctrl+s', label: sending}, {key: 'esc', label: 'back'}, {key: 'up/down', label: 'move'}, {key: 'ctrl+r', label: 'clear'}];
};

/** Uploads an ability: a form that the folder itself fills in as far as it can, checked as it is typed. */
export const UploadScreen = (): ReactElement => {
	const {store} = useUiServices();
	const state = useAppState();
	const profileNote = useProfileNote();
	const {records: agents} = useAgents();
	const [form, formStore] = useUploadForm();
	const [candidates, setCandidates] = useState<{readonly field: UploadField; readonly names: readonly string[]} | undefined>(undefined);
	const inspection = useInspection(expandPath(form.path), form.category, expandPath(form.image));
	const {phase, isUnderWay, submit, cancel} = useUpload(inspection);

	const step = (by: number): void => {
		setCandidates(undefined);
		formStore.dispatch({type: 'focus', field: neighbour(uploadFields, formStore.getState().focus, by)});
	};

	const edit = (change: Partial<Record<TextName, string>>): void => {
		setCandidates(undefined);
		formStore.dispatch({type: 'edit', change});
	};

	const complete = async (field: keyof typeof extensions): Promise<void> => {
		const typed = formStore.getState()[field];
		const completion = await completePath(typed, extensions[field], field === 'path' ? 'main.py' : undefined);
		// Tab does not leave a path that does not exist.
		const isWhole = completion.candidates.length === 0 && (typed.trim() === '' || await pathKind(expandPath(typed)) !== undefined);
		// Text typed in the meantime wins.
		if (formStore.getState()[field] !== typed) {
			return;
		}

		if (completion.text !== typed) {
			edit({[field]: completion.text});
		} else if (isWhole) {
			step(1);
		}

		setCandidates(completion.candidates.length === 0 ? undefined : {field, names: completion.candidates});
	};

	const choose = (by: number): void => {
		const {focus, category, agent} = formStore.getState();
		if (focus === 'category') {
			formStore.dispatch({type: 'edit', change: {category: neighbour<string>(categories, category, by)}});
		} else if (focus === 'agent') {
			formStore.dispatch({type: 'edit', change: {agent: neighbour([undefined, ...(agents ?? []).map(({id}) => id)], agent, by)}});
		}
	};

	const press = ({name}: Key): void => {
		const {focus} = formStore.getState();
		const focusStep = focusSteps.get(name);
		const choiceStep = choiceSteps.get(name);
		switch (name) {
			case 'escape': {
				store.dispatch({type: 'close'});
				break;
			}

			case 'ctrl+s': {
				submit();
				break;
			}

			case 'ctrl+r': {
				formStore.dispatch({type: 'clear'});
				break;
			}

			default: {
				if (name === 'enter' && focus === 'upload') {
					submit();
				} else if (name === 'tab' && isCompleted(focus)) {
					void complete(focus);
				} else if (focusStep !== undefined) {
					step(focusStep);
				} else if (choiceStep !== undefined) {
					choose(choiceStep);
				}
			}
		}
	};

	useKeys(layers.form, {
		onKey(key) {
			if (!isUnderWay()) {
				press(key);
			} else if (key.name === 'escape') {
				cancel();
			}

			return !key.name.startsWith('alt+') && 'settle';
		},
	});

	const {bodyRows} = detailLayoutOf(state);
	const width = state.size.columns - 2;
	const notes = validateUpload(form, inspection);
	const noteOf = (field: UploadField): FieldNote | undefined => candidates?.field === field
		? {text: candidates.names.join(' '), isProblem: false}
		: notes[field];
	const rows = visibleRows(uploadFields.map(field => ({field, note: noteOf(field)})), form.focus, width - labelWidth, bodyRows);
	return (
		<DetailFrame
			head={<TitleLine title='Upload an ability' notes={[`to ${profileNote}`]}/>}
			hints={hintsOf(form, phase !== undefined)}
		>
			<Box flexDirection='column' paddingLeft={1}>
				{rows.map(row => (
					<UploadRow
						key={row.field}
						row={row}
						form={form}
						width={width}
						isMarked={row.isProblem && row.below.length === 0}
						agents={agents}
						phase={phase}
						onEdit={edit}
					/>
				))}
			</Box>
		</DetailFrame>
	);
};
