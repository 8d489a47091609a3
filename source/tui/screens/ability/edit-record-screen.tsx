import {Text, Box} from 'ink';
import type {ReactElement} from 'react';
import {findField, type FieldName, type Values} from '../../../changes/fields.ts';
import {cleanText} from '../../../interface/clean-text.ts';
import {findLeftBehind} from '../../../interface/installed-lookup.ts';
import {isSameJson, type JsonValue} from '../../../interface/json.ts';
import {goneText} from '../../../interface/lists.ts';
import {splitTriggerPhrases, straightenPhrases} from '../../../interface/names.ts';
import {rawFieldName, type Ability, type Agent, type InstalledAbility, type Records, type Resource} from '../../../interface/records.ts';
import {graphemes} from '../../../terminal/wrap.ts';
import {useUiServices} from '../../app-context.ts';
import {originalText, saveChecked, useIsSaving} from '../../hooks/saves.ts';
import {categoryChoices, changedText, leavesSkillSilent, phrasesProblem, phrasesText, silentSkillText} from '../../state/edit-words.ts';
import {useServiceSession, type ServiceSession} from '../../hooks/service-session.ts';
import type {Texts} from '../../state/form.ts';
import {capitalized} from '../../hooks/undo-history.ts';
import {isGone, useResource} from '../../hooks/use-resource.ts';
import {theme} from '../../theme.ts';
import {useLastKnown, useRememberedState} from '../../widgets/text-scroll.ts';
import {askQuestion} from '../confirm.tsx';
import {Form, type FormField, useForm} from '../form.tsx';
import {closeOverlay, refusalText, useSaveOverlay} from '../save-overlay.ts';

type RecordForm<R extends Resource> = {
	readonly kind: 'edit-name' | 'edit-ability' | 'edit-installed';
	/** The labels of its cells, by the fields that they edit. */
	readonly cells: Readonly<Partial<Record<FieldName, string>>>;
	/** Saves it as `saveChecked` does. Returns the sentence that reports it. */
	readonly save: (session: ServiceSession, seen: Records[R], values: Values, mayLose: boolean) => Promise<string>;
};

const forms: {readonly [R in Resource]: RecordForm<R>} = {
	agents: {
		kind: 'edit-name',
		cells: {name: 'Name'},
		async save(session, seen, values) {
			return `Saved: the agent is called ${(await saveChecked(session, {resource: 'agents', seen, values})).name}.`;
		},
	},
	abilities: {
		kind: 'edit-ability',
		cells: {name: 'Name', description: 'About', category: 'Category', triggers: 'Phrases'},
		async save(session, seen, values, mayLose) {
			const saved = await saveChecked(session, {resource: 'abilities', seen, values}, mayLose);
			const left = values.name === undefined ? undefined : await findLeft(session, seen);
			return `Saved: the ${changedText('abilities', values)} of ${saved.name}.${left === undefined ? '' : ` The installed ability ${left.id} is still called ${left.name}.`}`;
		},
	},
	installed: {
		kind: 'edit-installed',
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

type EditRecordProps<R extends Resource> = {readonly resource: R; readonly id: number};

/** Draws the fields of a record as a form, which follows the list until text is typed, and is checked then. Refused texts stay in it. */
export function EditRecordScreen<R extends Resource>({resource, id}: EditRecordProps<R>): ReactElement {
	const ui = useUiServices();
	const session = useServiceSession();
	const list = useResource(resource);
	const saveOverlay = useSaveOverlay();
	const isSaving = useIsSaving(resource, id);
	// The form stays open if the record disappears, so that typed text is not lost.
	const record = useLastKnown(
		'record',
		list.records?.find(each => each.id === id),
	);
	// The record when the person began to type. After a conflict, the reported one.
	const [seen = record, setSeen] = useRememberedState<Records[R] | undefined>('seen', undefined);
	const {kind, cells, save: saveValues} = forms[resource];
	const names = fieldsIn(resource, seen);
	const form = useForm<FieldName>(names[0]!, seen && Object.fromEntries(names.map(field => [field, shownText(resource, seen, field)])));
	const {texts, typed} = form;
	const only = names.length === 1 ? findField(resource, names[0]!) : undefined;
	const pronoun = only?.type === 'list' ? 'them' : 'it';
	const name = record?.name ?? `#${id}`;
	const gone = isGone(list, id) ? goneText(resource, name) : undefined;
	const leave = (): void => closeOverlay(ui, kind, id);
	const problemOf = (field: FieldName): string | undefined =>
		isList(resource, field)
			? phrasesProblem(texts[field] ?? '', phrasesOf(seen))
			: field === 'name' && texts.name?.trim() === ''
				? 'Enter a name.'
				: undefined;

	const save = (isSilentAgreed = false, mayLose = false): void => {
		const problem = names.find(field => problemOf(field) !== undefined);
		if (problem !== undefined || seen === undefined) {
			form.focusOn(problem ?? form.focus);
			return;
		}

		const values = changesOf(resource, seen, typed);
		const what = changedText(resource, values);
		if (what === '') {
			leave();
			ui.say('info', `No changes: ${name} ${only === undefined ? 'stays as it is' : `keeps its ${only.noun}`}.`);
			return;
		}

		const isSilent =
			resource === 'installed' &&
			'category' in seen &&
			values.triggers !== undefined &&
			leavesSkillSilent(seen.category, texts.triggers ?? '');
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

		form.submit();
		void saveOverlay({
			kind,
			resource,
			id,
			subject: `the ${what} of ${name}`,
			pronoun,
			send: async () => saveValues(session, seen, values, mayLose),
			onConflict(newest) {
				setSeen(() => newest);
			},
			refuse(error, hint) {
				if (error.kind === 'not-kept') {
					askQuestion(ui, {
						question: `Change ${name} anyway?`,
						details: [error.message],
						yes: 'change it',
						onYes() {
							save(true, true);
						},
					});
					return;
				}

				form.refuse(refusalText(error, hint, pronoun));
			},
		});
	};

	const fieldOf = (field: FieldName): FormField<FieldName> => {
		const problem = problemOf(field);
		return {
			name: field,
			label: cells[field]!,
			placeholder: isList(resource, field) ? 'separated by commas' : undefined,
			note: problem === undefined ? undefined : {text: problem, isProblem: true},
			...(field === 'category' && {choices: categoryChoices}),
			...(field === 'description' &&
				seen &&
				!isOneLine(originalText(resource, seen, field) ?? '') && {fixed: `several lines: switchboard ${resource} edit ${id} --${field} -`}),
		};
	};

	return (
		<Form
			title={only === undefined ? `Edit ${name}` : `${capitalized(only.noun)} of ${name}`}
			titleNotes={[session.account.profileName]}
			form={form}
			fields={names.map(field => fieldOf(field))}
			note={gone === undefined ? undefined : {text: gone, isProblem: true}}
			busy={isSaving ? {text: 'saving…'} : undefined}
			// Leaving would allow a switch, which also sends the old values, so their form waits for the answer.
			onBusyEscape={resource === 'installed' ? undefined : {label: 'back', act: leave}}
			question={gone === undefined ? undefined : ''}
			onEdit={(field, text) => {
				setSeen(before => before ?? record);
				form.edit({[field]: text});
			}}
			onSave={() => save()}
			onLeave={() => {
				leave();
				if (gone !== undefined && form.isChanged) {
					ui.say('warning', `${gone} You had typed: ${Object.values(typed).join(', ')}`);
				}
			}}
		>
			{resource === 'installed' ? (
				<Box flexDirection="column" paddingLeft={3} overflow="hidden">
					{straightenPhrases(splitTriggerPhrases(texts.triggers ?? ''), phrasesOf(seen)).map(phrase => (
						<Text key={phrase} {...theme.secondary} wrap="truncate-end">{`· ${phrase}`}</Text>
					))}
				</Box>
			) : null}
		</Form>
	);
}

/** Returns the fields that are edited; for an installed ability, only fields that the service shows. */
export function fieldsIn<R extends Resource>(resource: R, record: Records[R] | undefined): readonly FieldName[] {
	return (Object.keys(forms[resource].cells) as readonly FieldName[]).filter(
		field => resource !== 'installed' || record === undefined || Object.hasOwn(record.raw, rawFieldName(field)),
	);
}

/** Returns the text of a cell before it is edited: on one line, and safe for a terminal. */
function shownText<R extends Resource>(resource: R, record: Records[R], field: FieldName): string {
	const text = originalText(resource, record, field) ?? '';
	return isList(resource, field) ? phrasesOf(record).join(', ') : shownLine(text);
}

const phrasesOf = (record: Agent | Ability | InstalledAbility | undefined): readonly string[] =>
	record !== undefined && 'triggerPhrases' in record ? record.triggerPhrases : [];

const isList = (resource: Resource, field: FieldName): boolean => findField(resource, field)!.type === 'list';

const shownLine = (text: string): string => cleanText(text, Math.max(1, text.length));

/** A line holds no line break, and a cell no such long text. */
const isOneLine = (text: string): boolean => !/[\r\n]/.test(text) && text.length <= 4000;

/** The typed values that differ. An unchanged part of a text stays as the service returned it. */
const changesOf = <R extends Resource>(resource: R, record: Records[R], typed: Texts<FieldName>): Values =>
	Object.fromEntries(
		(Object.entries(typed) as ReadonlyArray<readonly [FieldName, string]>).flatMap(([field, text]): ReadonlyArray<[string, JsonValue]> => {
			const original = originalText(resource, record, field) ?? '';
			const [before, value] = isList(resource, field)
				? [phrasesOf(record), straightenPhrases(splitTriggerPhrases(text), phrasesOf(record))]
				: [original, typedName(original, text)];
			return text === shownText(resource, record, field) || isSameJson(before, value) ? [] : [[field, value]];
		}),
	);

/**
Returns the name to save after the shown name was edited. An unchanged start or end stays as the service returned it: an emoji
keeps its joiners and selectors, which are not sent to the terminal.
*/
export function typedName(original: string, typed: string): string {
	const characters = [...graphemes.segment(original)].map(({segment}) => ({
		segment,
		shown: segment === ' ' ? segment : cleanText(segment),
	}));
	let rest = typed.trim();
	if (characters.map(({shown}) => shown).join('') !== shownLine(original)) {
		return rest;
	}

	let [start, end] = ['', ''];
	while (characters.length > 0 && rest.startsWith(characters[0]!.shown)) {
		rest = rest.slice(characters[0]!.shown.length);
		start += characters.shift()!.segment;
	}

	while (characters.length > 0 && rest.endsWith(characters.at(-1)!.shown)) {
		rest = rest.slice(0, rest.length - characters.at(-1)!.shown.length);
		end = characters.pop()!.segment + end;
	}

	return start + rest + end;
}

/** Finds the installed record that kept the former name of an ability. */
async function findLeft({records: {readAgain, seen}}: ServiceSession, ability: Ability): Promise<InstalledAbility | undefined> {
	try {
		await readAgain('installed');
	} catch {
		// The list itself reports that it could not be read.
	}

	return findLeftBehind(seen('installed') ?? [], seen('abilities') ?? [], ability);
}
