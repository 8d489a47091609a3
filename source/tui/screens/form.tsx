import {type ReactElement, type ReactNode, useSyncExternalStore} from 'react';
import {Box, Text} from 'ink';
import {errorText} from '../../interface/errors.ts';
import {formatCount} from '../../interface/format-count.ts';
import {spokenText} from '../../terminal/spoken-text.ts';
import {withCursor} from '../../terminal/cursor-mark.ts';
import {wrapText} from '../../terminal/wrap.ts';
import type {Hint} from '../../words/keymap.ts';
import {problemMark, withMark} from '../../words/signs.ts';
import {useAppState, useUiServices} from '../app-context.ts';
import {layers, useKeys} from '../keys/dispatcher.ts';
import {createForm, type Texts} from '../state/form.ts';
import {theme} from '../theme.ts';
import {FieldLabel, maximumLength, TextField} from '../widgets/text-field.tsx';
import {useRemembered} from '../widgets/text-scroll.ts';
import {askQuestion} from './confirm.tsx';
import {DetailFrame, detailLayoutOf} from './detail-frame.tsx';

/**
Returns a form, which lasts as long as its overlay.

@param focus - the field that has the focus first.
@param initial - the texts until others are filled in or typed.
*/
export function useForm<Name extends string>(focus: Name, initial = {} as Texts<Name>) {
	const form = useRemembered('form', () => createForm(focus));
	const state = useSyncExternalStore(form.subscribe, form.get);
	const texts = (): Texts<Name> => ({...initial, ...form.get().filled, ...form.get().typed});
	return {
		...form,
		...state,
		texts: texts(),
		/** Returns the newest texts, after an answer was awaited. */
		read: texts,
		isChanged: (Object.keys(state.typed) as Name[]).some(name => state.typed[name] !== (initial[name] ?? '')),
	};
}

export type FieldNote = {readonly text: string; readonly isProblem: boolean};

export type FormField<Name extends string> = {
	readonly name: Name;
	readonly label: string;
	readonly note?: FieldNote | undefined;
	readonly placeholder?: string | undefined;
	readonly mask?: string;
	/** Values that Left and Right choose. */
	readonly choices?: ReadonlyArray<{readonly value: string; readonly label: string; readonly meaning: string}>;
	/** Shown in place of a text that cannot be edited here. */
	readonly fixed?: string | undefined;
	/** Completes its text after Tab. */
	readonly complete?: () => void;
};

type FormProps<Name extends string> = {
	readonly form: ReturnType<typeof useForm<Name>>;
	readonly title: string;
	readonly titleNotes?: readonly string[];
	readonly fields: ReadonlyArray<FormField<Name>>;
	/** Below the fields. */
	readonly note?: FieldNote | undefined;
	readonly saveLabel?: string;
	/** A field from which Enter saves, as it does from the last one. */
	readonly enterSavesFrom?: Name;
	/** Shown below the fields during a save; the form takes no text then. */
	readonly busy?: {readonly text: string; readonly spoken?: string} | undefined;
	/** The effect of Escape during a save. */
	readonly onBusyEscape?: {readonly label: string; act(): void} | undefined;
	/** The question before typed texts are lost; none if they cannot be saved anyway. */
	readonly question?: string | undefined;
	readonly onEdit?: (name: Name, text: string) => void;
	/** Called before another field gets the focus. */
	readonly onMove?: () => void;
	readonly onSave: () => void;
	readonly onLeave?: () => void;
	/** Below the note. */
	readonly children?: ReactNode;
};

const focusSteps: ReadonlyMap<string, number> = new Map([
	['down', 1],
	['tab', 1],
	['up', -1],
	['shift+tab', -1],
]);

const choiceSteps: ReadonlyMap<string, number> = new Map([
	['right', 1],
	['space', 1],
	['left', -1],
]);

/** Returns the next or the previous choice, around the ends. */
function neighbour<Choice>(choices: readonly Choice[], chosen: Choice, by: number): Choice {
	return choices[(choices.indexOf(chosen) + by + choices.length) % choices.length]!;
}

/**
Draws fields, each with its note below it. Ctrl+S saves from each field, Enter goes to the next one and saves from the last, Escape leaves
and asks first if something was typed.
*/
export function Form<Name extends string>(props: FormProps<Name>): ReactElement {
	const {form, title, titleNotes = [], fields, note, enterSavesFrom, busy = form.busy, onBusyEscape, children} = props;
	const {saveLabel = 'save', question = 'Leave without saving?', onMove, onSave, onLeave} = props;
	const {onEdit = (name, text) => form.edit({[name]: text} as Texts<Name>)} = props;
	const ui = useUiServices();
	const state = useAppState();
	const names = fields.map(({name}) => name);
	const focused = fields.find(({name}) => name === form.focus) ?? fields[0]!;
	const isLast = focused.name === names.at(-1) || focused.name === enterSavesFrom;

	const leave = onLeave ?? (() => ui.store.dispatch({type: 'close'}));

	const askToLeave = (): void => {
		if (form.isChanged && question !== '') {
			askQuestion(ui, {question, details: ['The typed text is lost.'], yes: 'leave', onYes: leave});
		} else {
			leave();
		}
	};

	const move = (by: number): void => {
		onMove?.();
		form.focusOn(neighbour(names, focused.name, by));
	};

	const actions: Readonly<Record<string, (() => void) | undefined>> = {
		escape: askToLeave,
		'ctrl+s': onSave,
		enter: isLast ? onSave : () => move(1),
		tab: focused.complete,
	};

	useKeys(layers.form, {
		onKey({name}) {
			if (busy !== undefined) {
				if (name === 'escape') {
					onBusyEscape?.act();
				}

				return true;
			}

			const action = actions[name];
			const [focusStep, choiceStep] = [focusSteps.get(name), choiceSteps.get(name)];
			if (action !== undefined) {
				action();
			} else if (focusStep !== undefined) {
				move(focusStep);
			} else if (choiceStep !== undefined && focused.choices !== undefined) {
				const values = focused.choices.map(({value}) => value);
				onEdit(focused.name, neighbour(values, form.texts[focused.name] ?? '', choiceStep));
			} else {
				return false;
			}

			return 'settle';
		},
	});

	const hints: ReadonlyArray<Hint | undefined> =
		busy === undefined
			? [
					{key: 'enter', label: isLast ? saveLabel : 'next'},
					focused.complete && {key: 'tab', label: 'complete'},
					focused.choices && {key: 'left/right', label: 'choose'},
					isLast ? undefined : {key: 'ctrl+s', label: saveLabel},
					{key: 'esc', label: 'back'},
					names.length > 1 ? {key: 'up/down', label: 'move'} : undefined,
					focused.choices === undefined && focused.fixed === undefined ? {key: 'ctrl+u', label: 'clear'} : undefined,
				]
			: [onBusyEscape && {key: 'esc', label: onBusyEscape.label}];
	const labelWidth = Math.max(...fields.map(({label}) => label.length)) + 4;
	const width = state.size.columns - 2;
	const {bodyRows} = detailLayoutOf(state);
	const refusalNote = form.refusal && {text: form.refusal.text, isProblem: true};
	const below = linesOf(form.refusal?.field === undefined ? (refusalNote ?? note) : note, width - labelWidth);
	const noteOf = (field: FormField<Name>): FieldNote | undefined =>
		form.refusal?.field === field.name
			? refusalNote
			: (form.texts[field.name] ?? '').length >= maximumLength
				? {text: `There is room for ${formatCount(maximumLength)} characters.`, isProblem: true}
				: field.note;
	const rows = visibleRows(
		fields.map(field => ({field: field.name, note: noteOf(field)})),
		focused.name,
		width - labelWidth,
		Math.max(1, bodyRows - below.length - (busy === undefined ? 0 : 1)),
	);

	const drawField = ({label: ownLabel, mask, placeholder, choices, fixed, name}: FormField<Name>, isMarked: boolean): ReactElement => {
		const isFocused = name === focused.name && busy === undefined;
		const label = {label: `${ownLabel}${isMarked ? problemMark : ''}`, labelWidth, isFocused};
		const text = form.texts[name] ?? '';
		if (choices === undefined && fixed === undefined) {
			return (
				<TextField
					{...label}
					width={width}
					value={text}
					{...(mask !== undefined && {mask})}
					{...(placeholder !== undefined && {placeholder})}
					onChange={changed => onEdit(name, changed)}
				/>
			);
		}

		const {label: value, meaning} = choices?.find(choice => choice.value === text) ?? {label: choices && text, meaning: fixed ?? ''};
		return (
			<Box flexShrink={0}>
				<FieldLabel {...label} />
				<Text wrap="truncate-end" aria-label={spokenText(value ?? '', meaning)}>
					<Text {...(isFocused ? theme.current : theme.plain)}>{value === undefined ? '' : isFocused ? `‹ ${value} ›` : value}</Text>
					<Text {...theme.secondary}>{value === undefined || meaning === '' ? meaning : `  ${meaning}`}</Text>
				</Text>
			</Box>
		);
	};

	return (
		<DetailFrame title={title} notes={titleNotes} hints={hints}>
			<Box flexDirection="column" flexShrink={0} paddingLeft={1}>
				{rows.map(row => (
					<Box key={row.field} flexDirection="column" flexShrink={0}>
						{drawField(fields.find(({name}) => name === row.field)!, row.isProblem && row.below.length === 0)}
						<NoteLines lines={row.below} isProblem={row.isProblem} indent={labelWidth} />
					</Box>
				))}
				<NoteLines lines={below} isProblem={refusalNote !== undefined || note?.isProblem === true} indent={labelWidth} />
				{busy && (
					<Text {...theme.accent} wrap="truncate-end" {...('spoken' in busy && {'aria-label': busy.spoken})}>
						{withCursor('row', busy.text)}
					</Text>
				)}
			</Box>
			{children}
		</DetailFrame>
	);
}

type NoteLinesProps = {readonly lines: readonly string[]; readonly isProblem: boolean; readonly indent: number};

const NoteLines = ({lines, isProblem, indent}: NoteLinesProps): ReactElement | null =>
	lines.length === 0 ? null : (
		<Box flexShrink={0} paddingLeft={indent}>
			<Text {...(isProblem ? theme.error : theme.secondary)}>{lines.join('\n')}</Text>
		</Box>
	);

type NotedField<Name> = {readonly field: Name; readonly note: FieldNote | undefined};

type FormRow<Name> = {
	readonly field: Name;
	/** The note's lines; the field itself takes one more. */
	readonly below: readonly string[];
	readonly isProblem: boolean;
};

/**
Returns the fields of a form that fit on the screen: all with their notes if there is room, else the focused field with its note and as many
others as there is room for.

@param width - columns for a note.
*/
export function visibleRows<Name>(
	fields: ReadonlyArray<NotedField<Name>>,
	focus: Name,
	width: number,
	height: number,
): ReadonlyArray<FormRow<Name>> {
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

type NameFormProps = {
	readonly title: string;
	readonly titleNotes?: readonly string[];
	readonly initial?: string;
	readonly note?: string;
	/** True if Escape closes the form even while the name is being saved. */
	readonly isSavingCancelable?: boolean;
	readonly onSave: (name: string) => Promise<void>;
};

/** Draws a form for one name. */
export function NameForm({initial = '', note, isSavingCancelable = false, onSave, ...titles}: NameFormProps): ReactElement {
	const {store} = useUiServices();
	const form = useForm('name', {name: initial});

	const save = (): void => {
		const name = form.texts.name!.trim();
		if (name === '') {
			form.refuse('Enter a name.', 'name');
		} else {
			void form.run(
				'saving…',
				async () => onSave(name),
				error => form.refuse(errorText(error), 'name'),
			);
		}
	};

	return (
		<Form
			{...titles}
			form={form}
			fields={[{name: 'name', label: 'Name'}]}
			note={note === undefined ? undefined : {text: note, isProblem: false}}
			onSave={save}
			onBusyEscape={isSavingCancelable ? {label: 'cancel', act: () => store.dispatch({type: 'close'})} : undefined}
		/>
	);
}
