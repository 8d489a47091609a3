import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import {findField, type FieldName, type Values} from '../../../changes/fields.ts';
import {categories, categoryLabel, categoryMeanings, isCategory} from '../../../interface/categories.ts';
import {cleanText} from '../../../interface/clean-text.ts';
import {findLeftBehind} from '../../../interface/installed-lookup.ts';
import {isSameJson, type JsonValue} from '../../../interface/json.ts';
import {goneText} from '../../../interface/lists.ts';
import {splitTriggerPhrases, straightenPhrases} from '../../../interface/names.ts';
import {rawFieldName, type Ability, type InstalledAbility, type Records} from '../../../interface/records.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {originalText, saveChecked, useIsSaving} from '../../hooks/saves.ts';
import {changedText, leavesSkillSilent, phrasesProblem, phrasesText, silentSkillText} from '../../state/edit-words.ts';
import {useServiceSession, type ServiceSession} from '../../hooks/service-session.ts';
import {capitalized} from '../../hooks/undo-history.ts';
import {isGone, useResource} from '../../hooks/use-resource.ts';
import {layers, useKeys} from '../../keys/dispatcher.ts';
import type {Hint} from '../../../words/keymap.ts';
import {withMark} from '../../../words/signs.ts';
import {theme} from '../../theme.ts';
import {FieldLabel, TextField} from '../../widgets/text-field.tsx';
import {useLastKnown, useRememberedState} from '../../widgets/text-scroll.ts';
import {typedName} from '../agent/name-field.tsx';
import {askQuestion} from '../confirm.tsx';
import {DetailFrame, TitleLine} from '../detail-frame.tsx';
import {closeOverlay, refusalText, useSaveOverlay} from '../save-overlay.ts';
import {ChoiceField, choiceSteps, focusSteps, neighbour} from './upload-screen.tsx';

type EditedResource = 'abilities' | 'installed';

type RecordForm<R extends EditedResource> = {
	readonly kind: 'edit-ability' | 'phrases';
	readonly editKey: 'edit-ability' | 'edit-phrases';
	/** The labels of its cells, by the fields that they edit. */
	readonly cells: Readonly<Partial<Record<FieldName, string>>>;
	/** Saves it as `saveChecked` does. Returns the sentence that reports it. */
	readonly save: (session: ServiceSession, seen: Records[R], values: Values, mayLose: boolean) => Promise<string>;
};

const forms: {readonly [R in EditedResource]: RecordForm<R>} = {
	abilities: {
		kind: 'edit-ability',
		editKey: 'edit-ability',
		cells: {name: 'Name', description: 'About', category: 'Category', triggers: 'Phrases'},
		async save(session, seen, values, mayLose) {
			const saved = await saveChecked(session, {resource: 'abilities', seen, values}, mayLose);
			const left = values.name === undefined ? undefined : await findLeft(session, seen);
			return `Saved: the ${changedText('abilities', values)} of ${saved.name}.${left === undefined ? '' : ` The installed ability ${left.id} is still called ${left.name}.`}`;
		},
	},
	installed: {
		kind: 'phrases',
		editKey: 'edit-phrases',
		cells: {triggers: 'Phrases'},
		async save(session, seen, values) {
			await saveChecked(session, {resource: 'installed', seen, values});
			const {triggers, ...others} = values;
			return Array.isArray(triggers) && Object.keys(others).length === 0
				? `Saved: ${seen.name} ${phrasesText(triggers as readonly string[])}.`
				: `Saved: the ${changedText('installed', values)} of ${seen.name}.`;
		},
	},
};

type EditRecordProps<R extends EditedResource> = {readonly resource: R; readonly id: number};

type Typed = Readonly<Partial<Record<FieldName, string>>>;

type FormState<R extends EditedResource> = {
	readonly focus?: FieldName | undefined;
	readonly typed: Typed;
	/** The record when the person began to type. After a conflict, the reported one. */
	readonly seen?: Records[R] | undefined;
	readonly refusal?: string | undefined;
};

/** Draws the fields of a record as a form, which follows the list until text is typed, and is checked then. Refused texts stay in it. */
export function EditRecordScreen<R extends EditedResource>({resource, id}: EditRecordProps<R>): ReactElement {
	const ui = useUiServices();
	const {columns} = useAppState().size;
	const session = useServiceSession();
	const list = useResource(resource);
	const saveOverlay = useSaveOverlay();
	const isSaving = useIsSaving(resource, id);
	// The form stays open if the record disappears, so that typed text is not lost.
	const record = useLastKnown(
		'record',
		list.records?.find(each => each.id === id),
	);
	const [form, setForm] = useRememberedState<FormState<R>>('form', {typed: {}});
	const {kind, editKey, cells, save: saveValues} = forms[resource];
	const {typed, refusal, seen = record} = form;
	const fields = fieldsIn(resource, seen);
	const {focus = fields[0]!} = form;
	const only = fields.length === 1 ? findField(resource, focus) : undefined;
	const pronoun = only?.type === 'list' ? 'them' : 'it';
	const labelWidth = Math.max(...fields.map(field => cells[field]!.length)) + 4;
	const name = record?.name ?? `#${id}`;
	const gone = isGone(list, id) ? goneText(resource, name) : undefined;
	const trouble = refusal ?? gone;
	const textOf = (field: FieldName): string => typed[field] ?? (seen === undefined ? '' : shownText(resource, seen, field));
	const problemOf = (field: FieldName): string | undefined =>
		isList(resource, field)
			? phrasesProblem(textOf(field), seen?.triggerPhrases)
			: field === 'name' && textOf(field).trim() === ''
				? 'Enter a name.'
				: undefined;
	const isLong = (field: FieldName): boolean => !isOneLine((seen && originalText(resource, seen, field)) ?? '');

	const edit = (field: FieldName, text: string): void =>
		setForm(before => ({...before, seen: before.seen ?? record, typed: {...before.typed, [field]: text}, refusal: undefined}));

	const save = (isSilentAgreed = false, mayLose = false): void => {
		const problem = fields.find(field => problemOf(field) !== undefined);
		if (problem !== undefined || seen === undefined) {
			setForm(before => ({...before, focus: problem ?? before.focus}));
			return;
		}

		const values = changesOf(resource, seen, typed);
		const what = changedText(resource, values);
		if (what === '') {
			closeOverlay(ui, kind, id);
			ui.say('info', `No changes: ${name} ${only === undefined ? 'stays as it is' : `keeps its ${only.noun}`}.`);
			return;
		}

		const isSilent = resource === 'installed' && values.triggers !== undefined && leavesSkillSilent(seen.category, textOf('triggers'));
		if (isSilent && !isSilentAgreed) {
			askQuestion(ui, {
				question: `Save ${name} without a trigger phrase?`,
				details: [silentSkillText],
				yes: 'save without',
				onYes() {
					save(true);
				},
			});
			return;
		}

		setForm(before => ({...before, refusal: undefined}));
		void saveOverlay({
			kind,
			resource,
			id,
			subject: `the ${what} of ${name}`,
			pronoun,
			editKey,
			send: async () => saveValues(session, seen, values, mayLose),
			onConflict(newest) {
				setForm(before => ({...before, seen: newest}));
			},
			refuse(error, hint) {
				if (error.kind === 'not-kept') {
					askQuestion(ui, {
						question: `Change ${name} all the same?`,
						details: [error.message],
						yes: 'change it',
						onYes() {
							save(true, true);
						},
					});
					return;
				}

				setForm(before => ({...before, refusal: refusalText(error, hint, pronoun)}));
			},
		});
	};

	useKeys(layers.form, {
		onKey(key) {
			const focusStep = focusSteps.get(key.name);
			const choiceStep = choiceSteps.get(key.name);
			// Leaving would allow a switch, which also sends the old phrases, so the form waits for the answer.
			if (isSaving) {
				return true;
			}

			if (key.name === 'escape') {
				closeOverlay(ui, kind, id);
				const texts = Object.values(typed);
				if (gone !== undefined && texts.length > 0) {
					ui.say('info', `${gone} You had typed: ${texts.join(', ')}`);
				}
			} else if (key.name === 'enter' || (key.name === 'ctrl+s' && only === undefined)) {
				save();
			} else if (focusStep !== undefined) {
				setForm(before => ({...before, focus: neighbour(fields, before.focus ?? fields[0]!, focusStep)}));
			} else if (choiceStep !== undefined && focus === 'category') {
				edit(focus, neighbour<string>(categories, textOf(focus), choiceStep));
			} else {
				return false;
			}

			return 'settle';
		},
	});

	const drawCell = (field: FieldName): ReactElement => {
		const own = {label: cells[field]!, labelWidth, isFocused: focus === field && !isSaving};
		const text = textOf(field);
		if (field === 'category') {
			return <ChoiceField {...own} value={categoryLabel(text)} meaning={isCategory(text) ? categoryMeanings[text] : ''} />;
		}

		return isLong(field) ? (
			<Box flexShrink={0}>
				<FieldLabel {...own} />
				<Text {...theme.secondary} wrap="truncate-end">
					several lines: switchboard {resource} edit {id} --{field} -
				</Text>
			</Box>
		) : (
			<TextField
				{...own}
				width={columns - 2}
				value={text}
				placeholder={isList(resource, field) ? 'separated by commas' : ''}
				problem={(field === focus ? trouble : undefined) ?? problemOf(field)}
				onChange={changed => edit(field, changed)}
			/>
		);
	};

	return (
		<DetailFrame
			head={
				<TitleLine
					title={only === undefined ? `Edit ${name}` : `${capitalized(only.noun)} of ${name}`}
					notes={[session.account.profileName]}
				/>
			}
			hints={isSaving ? [{key: '', label: 'saving…'}] : hintsOf(fields)}
		>
			<Box flexDirection="column" flexShrink={0} paddingLeft={1}>
				{fields.map(field => (
					<Box key={field} flexDirection="column" flexShrink={0}>
						{drawCell(field)}
					</Box>
				))}
				{trouble !== undefined && (focus === 'category' || isLong(focus)) ? (
					<Text {...theme.error}>{withMark('error', trouble)}</Text>
				) : null}
			</Box>
			{resource === 'installed' ? (
				<Box flexDirection="column" paddingLeft={3} overflow="hidden">
					{straightenPhrases(splitTriggerPhrases(textOf('triggers')), seen?.triggerPhrases).map(phrase => (
						<Text key={phrase} {...theme.secondary} wrap="truncate-end">{`· ${phrase}`}</Text>
					))}
				</Box>
			) : null}
		</DetailFrame>
	);
}

/** Returns the fields that are edited; for an installed ability, only fields that the service shows. */
export function fieldsIn<R extends EditedResource>(resource: R, record: Records[R] | undefined): readonly FieldName[] {
	return (Object.keys(forms[resource].cells) as readonly FieldName[]).filter(
		field => resource === 'abilities' || record === undefined || Object.hasOwn(record.raw, rawFieldName(field)),
	);
}

/** Returns the text of a cell before it is edited: on one line, and safe for a terminal. */
function shownText<R extends EditedResource>(resource: R, record: Records[R], field: FieldName): string {
	const text = originalText(resource, record, field) ?? '';
	return isList(resource, field) ? record.triggerPhrases.join(', ') : cleanText(text, Math.max(1, text.length));
}

const isList = (resource: EditedResource, field: FieldName): boolean => findField(resource, field)!.type === 'list';

/** A line holds no line break, and a cell no such long text. */
const isOneLine = (text: string): boolean => !/[\r\n]/.test(text) && text.length <= 4000;

/** The typed values that differ. An unchanged part of a text stays as the service returned it. */
const changesOf = <R extends EditedResource>(resource: R, record: Records[R], typed: Typed): Values =>
	Object.fromEntries(
		(Object.entries(typed) as ReadonlyArray<readonly [FieldName, string]>).flatMap(([field, text]): ReadonlyArray<[string, JsonValue]> => {
			const original = originalText(resource, record, field) ?? '';
			const [before, value] = isList(resource, field)
				? [record.triggerPhrases, straightenPhrases(splitTriggerPhrases(text), record.triggerPhrases)]
				: [original, typedName(original, text)];
			return text === shownText(resource, record, field) || isSameJson(before, value) ? [] : [[field, value]];
		}),
	);

const hintsOf = (fields: readonly FieldName[]): readonly Hint[] => [
	{key: 'enter', label: 'save'},
	{key: 'esc', label: 'back'},
	fields.length > 1 ? {key: 'up/down', label: 'move'} : {key: 'ctrl+u', label: 'clear'},
	...(fields.includes('category') ? [{key: 'left/right', label: 'choose a category'}] : []),
];

/** Finds the installed record that kept the former name of an ability. */
async function findLeft({records: {readAgain, seen}}: ServiceSession, ability: Ability): Promise<InstalledAbility | undefined> {
	try {
		await readAgain('installed');
	} catch {
		// The list itself reports that it could not be read.
	}

	return findLeftBehind(seen('installed') ?? [], seen('abilities') ?? [], ability);
}
