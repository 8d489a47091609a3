import {Box, Text} from 'ink';
import {useState, type ReactElement} from 'react';
import {startFiles} from '../../../interface/ability-package/check-files.ts';
import {formatBytes} from '../../../interface/ability-package/limits.ts';
import {categories, categoryLabel, categoryMeanings, isCategory} from '../../../interface/categories.ts';
import type {Agent} from '../../../interface/records.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {completePath, expandPath, pathKind, useInspection} from '../../hooks/inspection.ts';
import type {UploadPhase} from '../../hooks/upload.ts';
import {useAgents} from '../../hooks/use-resource.ts';
import {layers, useKeys} from '../../keys/dispatcher.ts';
import type {Hint} from '../../../words/keymap.ts';
import {problemMark, withMark} from '../../../words/signs.ts';
import type {Key} from '../../../terminal/key.ts';
import {withCursor} from '../../../terminal/cursor-mark.ts';
import {spokenText} from '../../../terminal/spoken-text.ts';
import {theme} from '../../theme.ts';
import {FieldLabel, TextField} from '../../widgets/text-field.tsx';
import {wrapText} from '../../../terminal/wrap.ts';
import {DetailFrame, detailLayoutOf, TitleLine, useProfileNote} from '../detail-frame.tsx';
import {
	chosenCategory,
	isNewVersionOffered,
	uploadFields,
	useUploadForm,
	validateUpload,
	type FieldNote,
	type TextName,
	type UploadField,
	type UploadForm,
} from './upload-form.ts';
import {useUpload} from './use-upload.ts';

const smallestBar = 5;

const largestBar = 40;

/**
Returns a bar and its percentage, legible without colour or line drawing. Without enough room the size is dropped first, then the bar.
*/
export function progressLine(width: number, fraction: number, size: string): string {
	const percent = `${String(Math.floor(fraction * 100)).padStart(3)} %`;
	const roomBeside = (end: string): number => Math.min(largestBar, width - 'Sending [] '.length - end.length);
	const end = [`${percent}, of ${size}`, percent].find(text => roomBeside(text) >= smallestBar);
	const filled = end === undefined ? 0 : Math.floor(fraction * roomBeside(end));
	return end === undefined ? `Sending ${percent}` : `Sending [${'█'.repeat(filled).padEnd(roomBeside(end), '·')}] ${end}`;
}

type ChoiceFieldProps = {
	readonly label: string;
	readonly labelWidth: number;
	readonly value: string;
	readonly meaning: string;
	readonly isFocused: boolean;
};

/** Draws a choice among a few values on one line, like the text fields around it; the arrows show that Left and Right choose. */
export function ChoiceField({label, labelWidth, value, meaning, isFocused}: ChoiceFieldProps): ReactElement {
	return (
		<Box flexShrink={0}>
			<FieldLabel label={label} labelWidth={labelWidth} isFocused={isFocused} />
			<Text wrap="truncate-end" aria-label={spokenText(value, meaning)}>
				<Text {...(isFocused ? theme.current : theme.plain)}>{isFocused ? `‹ ${value} ›` : value}</Text>
				<Text {...theme.secondary}>{meaning === '' ? '' : `  ${meaning}`}</Text>
			</Text>
		</Box>
	);
}

type NotedField<Field> = {readonly field: Field; readonly note: FieldNote | undefined};

type FormRow<Field> = {
	readonly field: Field;
	/** The note's lines; the field itself takes one more. */
	readonly below: readonly string[];
	readonly isProblem: boolean;
};

/**
Returns the fields of a form that fit on the screen: all with their notes if there is room, else the focused field with its note and as many
others as there is room for.

@param width - columns for a note.
*/
export function visibleRows<Field>(
	fields: ReadonlyArray<NotedField<Field>>,
	focus: Field,
	width: number,
	height: number,
): ReadonlyArray<FormRow<Field>> {
	const whole = fields.map(({field, note}) => ({field, below: linesOf(note, width), isProblem: note?.isProblem ?? false}));
	if (heightOf(whole) <= height) {
		return whole;
	}

	const rows = whole.map(row => ({...row, below: row.field === focus ? row.below.slice(0, height - 1) : []}));
	const focused = rows.findIndex(({field}) => field === focus);
	let [start, end] = [0, rows.length];
	while (heightOf(rows.slice(start, end)) > height) {
		if (end > focused + 1) {
			end--;
		} else {
			start++;
		}
	}

	return rows.slice(start, end);
}

const linesOf = (note: FieldNote | undefined, width: number): readonly string[] =>
	note === undefined ? [] : wrapText(withMark(note.isProblem ? 'error' : 'info', note.text), width);

const heightOf = (rows: ReadonlyArray<FormRow<unknown>>): number => rows.reduce((sum, {below}) => sum + 1 + below.length, 0);

const labelWidth = 12;

const labels: Readonly<Record<UploadField, string>> = {
	path: 'Path',
	name: 'Name',
	description: 'About',
	category: 'Category',
	phrases: 'Phrases',
	image: 'Image',
	agent: 'Agent',
	upload: 'Upload',
};

const placeholders: Readonly<Partial<Record<UploadField, string>>> = {description: '(what it does)', image: '(none; a PNG or JPEG file)'};

const extensions = {path: ['.zip'], image: ['.png', '.jpg', '.jpeg']} as const;

export const focusSteps = new Map([
	['enter', 1],
	['down', 1],
	['tab', 1],
	['up', -1],
	['shift+tab', -1],
]);

export const choiceSteps = new Map([
	['right', 1],
	['space', 1],
	['left', -1],
]);

/** Returns the next or the previous choice, around the ends. */
export function neighbour<Choice>(choices: readonly Choice[], chosen: Choice, by: number): Choice {
	return choices[(choices.indexOf(chosen) + by + choices.length) % choices.length]!;
}

/** Uploads an ability: a form that the folder itself fills in as far as it can, checked as the person types. */
export function UploadScreen(): ReactElement {
	const {store} = useUiServices();
	const state = useAppState();
	const profileNote = useProfileNote();
	const {records: agents} = useAgents();
	const [form, uploadForm] = useUploadForm();
	const [candidates, setCandidates] = useState<{readonly field: UploadField; readonly names: readonly string[]} | undefined>(undefined);
	const inspection = useInspection(expandPath(form.path), chosenCategory(form), expandPath(form.image));
	const {phase, isUnderWay, submit, cancel} = useUpload(inspection);

	const step = (by: number): void => {
		setCandidates(undefined);
		uploadForm.focus(neighbour(uploadFields, uploadForm.get().focus, by));
	};

	const edit = (change: Partial<Record<TextName, string>>): void => {
		setCandidates(undefined);
		uploadForm.edit(change);
	};

	const complete = async (field: keyof typeof extensions): Promise<void> => {
		const typed = uploadForm.get()[field];
		const completion = await completePath(typed, extensions[field], field === 'path' ? startFiles : []);
		// Tab does not leave a path that does not exist.
		const isWhole = completion.candidates.length === 0 && (typed.trim() === '' || (await pathKind(expandPath(typed))) !== undefined);
		// Text typed in the meantime wins.
		if (uploadForm.get()[field] !== typed) {
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
		const {focus, category, agent} = uploadForm.get();
		if (focus === 'category') {
			uploadForm.edit({category: neighbour<string>(categories, category, by)});
		} else if (focus === 'agent') {
			uploadForm.edit({agent: neighbour([undefined, ...(agents ?? []).map(({id}) => id)], agent, by)});
		}
	};

	const press = ({name}: Key): void => {
		const {focus} = uploadForm.get();
		const focusStep = focusSteps.get(name);
		const choiceStep = choiceSteps.get(name);
		if (name === 'escape') {
			store.dispatch({type: 'close'});
		} else if (name === 'ctrl+s' || (name === 'enter' && focus === 'upload')) {
			submit();
		} else if (name === 'ctrl+r') {
			uploadForm.clear();
		} else if (name === 'tab' && isCompleted(focus)) {
			void complete(focus);
		} else if (focusStep !== undefined) {
			step(focusStep);
		} else if (choiceStep !== undefined) {
			choose(choiceStep);
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
	const noteOf = (field: UploadField): FieldNote | undefined =>
		candidates?.field === field ? {text: candidates.names.join(' '), isProblem: false} : notes[field];
	const rows = visibleRows(
		uploadFields.map(field => ({field, note: noteOf(field)})),
		form.focus,
		width - labelWidth,
		bodyRows,
	);
	return (
		<DetailFrame head={<TitleLine title="Upload an ability" notes={[`to ${profileNote}`]} />} hints={hintsOf(form, phase !== undefined)}>
			<Box flexDirection="column" paddingLeft={1}>
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
}

const isCompleted = (field: UploadField): field is keyof typeof extensions => Object.hasOwn(extensions, field);

function hintsOf(form: UploadForm, isUnderWay: boolean): readonly Hint[] {
	if (isUnderWay) {
		return [{key: 'esc', label: 'cancel the upload'}];
	}

	const {focus} = form;
	const sending = isNewVersionOffered(form) ? 'new version' : 'upload';
	const enter = {key: 'enter', label: focus === 'upload' ? sending : 'next'};
	const own: readonly Hint[] = isCompleted(focus)
		? [{key: 'tab', label: 'complete'}]
		: focus === 'category' || focus === 'agent'
			? [{key: 'left/right', label: 'choose'}]
			: [];
	return [
		enter,
		...own,
		{key: 'ctrl+s', label: sending},
		{key: 'esc', label: 'back'},
		{key: 'up/down', label: 'move'},
		{key: 'ctrl+r', label: 'clear'},
	];
}

type UploadRowProps = {
	readonly row: FormRow<UploadField>;
	readonly form: UploadForm;
	readonly width: number;
	/** True if it has a problem without room to show it. */
	readonly isMarked: boolean;
	readonly agents: readonly Agent[] | undefined;
	readonly phase: UploadPhase | undefined;
	readonly onEdit: (change: Partial<Record<TextName, string>>) => void;
};

/** Draws one field of the upload form, or its button, with its note below. */
function UploadRow({row, form, width, isMarked, agents, phase, onEdit}: UploadRowProps): ReactElement {
	const {field, below, isProblem} = row;
	const isFocused = form.focus === field && phase === undefined;
	const label = `${labels[field]}${isMarked ? problemMark : ''}`;
	const choice = {label, labelWidth, isFocused};

	const draw = (): ReactElement => {
		switch (field) {
			case 'category': {
				return (
					<ChoiceField
						{...choice}
						value={categoryLabel(form.category)}
						meaning={isCategory(form.category) ? categoryMeanings[form.category] : ''}
					/>
				);
			}

			case 'agent': {
				const meaning = agents === undefined ? 'the agents are not read yet' : form.agent === undefined ? '' : 'gets the ability';
				return <ChoiceField {...choice} value={agentText(form.agent, agents)} meaning={meaning} />;
			}

			case 'upload': {
				return phase === undefined ? (
					<Text
						{...(isFocused ? theme.accent : theme.secondary)}
					>{`${isFocused ? withCursor('row', '>') : ' '} [ ${isNewVersionOffered(form) ? 'New version' : labels.upload} ]`}</Text>
				) : (
					<Progress phase={phase} width={width} />
				);
			}

			default: {
				const placeholder = placeholders[field];
				return (
					<TextField
						{...choice}
						width={width}
						value={form[field]}
						{...(placeholder !== undefined && {placeholder})}
						onChange={value => onEdit({[field]: value})}
					/>
				);
			}
		}
	};

	return (
		<Box flexDirection="column" flexShrink={0}>
			{draw()}
			{below.map((line, index) => (
				// Lines have no identity but their index.
				<Box key={index} paddingLeft={labelWidth}>
					<Text {...(isProblem ? theme.error : theme.secondary)} wrap="truncate-end">
						{line}
					</Text>
				</Box>
			))}
		</Box>
	);
}

const agentText = (id: number | undefined, agents: readonly Agent[] | undefined): string =>
	id === undefined ? 'none' : (agents?.find(agent => agent.id === id)?.name ?? `#${id}`);

function Progress({phase, width}: {readonly phase: UploadPhase; readonly width: number}): ReactElement {
	if (phase.kind === 'packing' || phase.fraction === 1) {
		return (
			<Text {...theme.accent} wrap="truncate-end">
				{withCursor('row', phase.kind === 'packing' ? 'Packing…' : `Sent (${formatBytes(phase.sizeBytes)}), waiting for the answer…`)}
			</Text>
		);
	}

	const {fraction, sizeBytes} = phase;
	// A screen reader reads every tenth percent.
	const spoken = spokenText('Sending', `${Math.floor(fraction * 10) * 10} %`);
	return (
		<Text {...theme.accent} wrap="truncate-end" aria-label={spoken}>
			{withCursor('row', progressLine(width, fraction, formatBytes(sizeBytes)))}
		</Text>
	);
}
