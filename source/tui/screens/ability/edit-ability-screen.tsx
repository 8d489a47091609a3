import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import type {AbilityChanges} from '../../../client/client.ts';
import {categories, categoryLabel, categoryMeanings, isCategory} from '../../../interface/categories.ts';
import {cleanText} from '../../../interface/clean-text.ts';
import {goneText} from '../../../interface/lists.ts';
import {splitTriggerPhrases} from '../../../interface/names.ts';
import type {Ability} from '../../../interface/records.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {originalText, useEditAbility, useIsSaving} from '../../hooks/saves.ts';
import {changedText} from '../../state/edit-words.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {isGone, useAbilities} from '../../hooks/use-resource.ts';
import {layers, useKeys} from '../../keys/dispatcher.ts';
import {withMark} from '../../../words/signs.ts';
import {theme} from '../../theme.ts';
import {FieldLabel, TextField} from '../../widgets/text-field.tsx';
import {useLastKnown, useRememberedState} from '../../widgets/text-scroll.ts';
import {typedName} from '../agent/name-field.tsx';
import {ask} from '../confirm.tsx';
import {DetailFrame, TitleLine} from '../detail-frame.tsx';
import {closeOverlay, refusalText, useSaveOverlay} from '../save-overlay.ts';
import {phrasesProblem} from './phrases-screen.tsx';
import {ChoiceField, choiceSteps, focusSteps, neighbour} from './upload-screen.tsx';

const labelWidth = 12;

const fields = ['name', 'description', 'category', 'phrases'] as const;

type Field = (typeof fields)[number];

const labels: Readonly<Record<Field, string>> = {name: 'Name', description: 'About', category: 'Category', phrases: 'Phrases'};

type EditForm = {
	readonly focus: Field;
	/** The fields that were edited. */
	readonly typed: Readonly<Partial<Record<Field, string>>>;
	/** The ability as it was when the person began to type. After a conflict it is the one that was reported. */
	readonly seen?: Ability | undefined;
	readonly refusal?: string | undefined;
};

/** A line holds no line break, and no field so long a text. */
const isOneLine = (text: string): boolean => !/[\r\n]/.test(text) && text.length <= 4000;

const shownOf = (ability: Ability | undefined): Readonly<Record<Field, string>> => {
	const textOf = (field: 'name' | 'description' | 'category'): string => (ability && originalText('abilities', ability, field)) ?? '';
	const lineOf = (text: string): string => cleanText(text, Math.max(1, text.length));
	return {
		name: lineOf(textOf('name')),
		description: lineOf(textOf('description')),
		category: textOf('category'),
		phrases: ability?.triggerPhrases.join(', ') ?? '',
	};
};

/** The changes that were typed. An unchanged part of a text stays as the service returned it. */
const changesOf = (ability: Ability, typed: EditForm['typed']): AbilityChanges => {
	const shown = shownOf(ability);
	const isChanged = (field: Field): boolean => typed[field] !== undefined && typed[field] !== shown[field];
	return {
		...(isChanged('name') && {name: typedName(originalText('abilities', ability, 'name') ?? '', typed.name!)}),
		...(isChanged('description') && {description: typedName(originalText('abilities', ability, 'description') ?? '', typed.description!)}),
		...(isChanged('category') && {category: typed.category}),
		...(isChanged('phrases') && {triggers: splitTriggerPhrases(typed.phrases!)}),
	};
};

const hints = [
	{key: 'enter', label: 'save'},
	{key: 'esc', label: 'back'},
	{key: 'up/down', label: 'move'},
	{key: 'left/right', label: 'choose a category'},
];

/** The name, the description, the category and the phrases of an ability as a form, which follows the list until something is typed. */
export const EditAbilityScreen = ({id}: {readonly id: number}): ReactElement => {
	const ui = useUiServices();
	const {columns} = useAppState().size;
	const session = useServiceSession();
	const list = useAbilities();
	const {editAbility} = useEditAbility();
	const saveOverlay = useSaveOverlay();
	const isSaving = useIsSaving('abilities', id);
	// It stays open if the record disappears, so that typed text is not lost.
	const ability = useLastKnown(
		'record',
		list.records?.find(record => record.id === id),
	);
	const [form, setForm] = useRememberedState<EditForm>('form', {focus: 'name', typed: {}});
	const {focus, typed, refusal, seen = ability} = form;
	const name = ability?.name ?? `#${id}`;
	const shown = {...shownOf(seen), ...typed};
	const gone = isGone(list, id) ? goneText('abilities', name) : undefined;
	const trouble = refusal ?? gone;
	const isLong = !isOneLine((seen && originalText('abilities', seen, 'description')) ?? '');
	const problems: Readonly<Partial<Record<Field, string | undefined>>> = {
		name: shown.name.trim() === '' ? 'Enter a name.' : undefined,
		phrases: phrasesProblem(shown.phrases, seen?.triggerPhrases),
	};

	const edit = (change: EditForm['typed']): void =>
		setForm(before => ({...before, seen: before.seen ?? ability, typed: {...before.typed, ...change}, refusal: undefined}));

	const save = (mayLose = false): void => {
		const problem = fields.find(field => problems[field] !== undefined);
		if (problem !== undefined || seen === undefined) {
			setForm(before => ({...before, focus: problem ?? before.focus}));
			return;
		}

		const changes = changesOf(seen, typed);
		const what = changedText('abilities', changes);
		if (what === '') {
			closeOverlay(ui, 'edit-ability', id);
			ui.say('info', `No changes: ${name} stays as it is.`);
			return;
		}

		void saveOverlay({
			kind: 'edit-ability',
			resource: 'abilities',
			id,
			subject: `the ${what} of ${name}`,
			pronoun: 'it',
			editKey: 'edit-ability',
			async send() {
				const {saved, left} = await editAbility(seen, changes, mayLose);
				return `Saved: the ${what} of ${saved.name}.${left === undefined ? '' : ` The installed ability ${left.id} is still called ${left.name}.`}`;
			},
			onConflict(newest) {
				setForm(before => ({...before, seen: newest}));
			},
			refuse(error, hint) {
				if (error.kind === 'not-kept') {
					ask(ui, {
						question: `Change ${name} all the same?`,
						details: [error.message],
						yes: 'change it',
						onYes() {
							save(true);
						},
					});
					return;
				}

				setForm(before => ({...before, refusal: refusalText(error, hint, 'it')}));
			},
		});
	};

	useKeys(layers.form, {
		onKey(key) {
			const focusStep = focusSteps.get(key.name);
			const choiceStep = choiceSteps.get(key.name);
			if (isSaving) {
				return true;
			}

			if (key.name === 'escape') {
				closeOverlay(ui, 'edit-ability', id);
			} else if (key.name === 'enter' || key.name === 'ctrl+s') {
				save();
			} else if (focusStep !== undefined) {
				setForm(before => ({...before, focus: neighbour(fields, before.focus, focusStep)}));
			} else if (choiceStep !== undefined && focus === 'category') {
				edit({category: neighbour<string>(categories, shown.category, choiceStep)});
			} else {
				return false;
			}

			return 'settle';
		},
	});

	const drawField = (field: Field): ReactElement => {
		const own = {label: labels[field], labelWidth, isFocused: focus === field && !isSaving};
		if (field === 'category') {
			const {category} = shown;
			return <ChoiceField {...own} value={categoryLabel(category)} meaning={isCategory(category) ? categoryMeanings[category] : ''} />;
		}

		return field === 'description' && isLong ? (
			<Box flexShrink={0}>
				<FieldLabel {...own} />
				<Text {...theme.secondary} wrap="truncate-end">
					several lines: switchboard abilities edit {id} --description -
				</Text>
			</Box>
		) : (
			<TextField
				{...own}
				width={columns - 2}
				value={shown[field]}
				problem={problems[field] ?? (field === focus ? trouble : undefined)}
				onChange={value => edit({[field]: value})}
			/>
		);
	};

	return (
		<DetailFrame
			head={<TitleLine title={`Edit ${name}`} notes={[session.account.profileName]} />}
			hints={isSaving ? [{key: '', label: 'saving…'}] : hints}
		>
			<Box flexDirection="column" flexShrink={0} paddingLeft={1}>
				{fields.map(field => (
					<Box key={field} flexDirection="column" flexShrink={0}>
						{drawField(field)}
					</Box>
				))}
				{trouble !== undefined && (focus === 'category' || (focus === 'description' && isLong)) ? (
					<Text {...theme.error}>{withMark('error', trouble)}</Text>
				) : null}
			</Box>
		</DetailFrame>
	);
};
