import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import {goneText} from '../../../interface/lists.ts';
import {splitTriggerPhrases, straightenPhrase, straightenPhrases, triggerPhraseProblem} from '../../../interface/names.ts';
import {decodeRecord, type InstalledAbility} from '../../../interface/records.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {saveChecked, useIsSaving} from '../../hooks/saves.ts';
import {phrasesText} from '../../state/edit-words.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {isGone, useInstalled} from '../../hooks/use-resource.ts';
import {layers, useKeys} from '../../keys/dispatcher.ts';
import {theme} from '../../theme.ts';
import {TextField} from '../../widgets/text-field.tsx';
import {useLastKnown, useRememberedState} from '../../widgets/text-scroll.ts';
import {ask} from '../confirm.tsx';
import {DetailFrame, TitleLine} from '../detail-frame.tsx';
import {closeOverlay, refusalText, useSaveOverlay} from '../save-overlay.ts';

/**
Finds the first phrase of a comma-separated list that breaks a rule, and says why in a sentence.

@param accepted - phrases that the service already has: they are not checked again.
*/
export const phrasesProblem = (list: string, accepted: readonly string[] = []): string | undefined => {
	for (const phrase of splitTriggerPhrases(list)) {
		const problem = accepted.includes(phrase) ? undefined : triggerPhraseProblem(straightenPhrase(phrase));
		if (problem !== undefined) {
			return `“${phrase}” ${problem}.`;
		}
	}

	return undefined;
};

/** True if an empty list would leave a skill that nothing starts. An unknown category may be a skill. */
export const leavesSkillSilent = (category: string, list: string): boolean =>
	(category === 'skill' || category === '') && splitTriggerPhrases(list).length === 0;

export const silentSkillText = 'A skill starts on a trigger phrase. Without one, nothing that is said starts it.';

const labelWidth = 11;

const hints = [
	{key: 'enter', label: 'save'},
	{key: 'esc', label: 'back'},
	{key: 'ctrl+u', label: 'clear'},
];

type PhraseForm = {readonly seen?: InstalledAbility | undefined; readonly typed?: string; readonly refusal?: string | undefined};

/** The trigger phrases of an installed ability as a field, which follows the list until something is typed, and is checked then. Refused phrases stay in it. */
export const PhrasesScreen = ({id}: {readonly id: number}): ReactElement => {
	const ui = useUiServices();
	const {
		size: {columns},
	} = useAppState();
	const session = useServiceSession();
	const list = useInstalled();
	const saveOverlay = useSaveOverlay();
	const isSaving = useIsSaving('installed', id);
	// It stays open if the record disappears, so that typed text is not lost.
	const installed = useLastKnown(
		'record',
		list.records?.find(record => record.id === id),
	);
	// The record as it was when the person began to type. After a conflict it is the one that was reported.
	const [{seen = installed, typed, refusal}, setForm] = useRememberedState<PhraseForm>('form', {});
	const before = seen?.triggerPhrases ?? [];
	const value = typed ?? before.join(', ');
	const name = installed?.name ?? `#${id}`;
	const gone = isGone(list, id) ? goneText('installed', name) : undefined;
	const phrases = straightenPhrases(splitTriggerPhrases(value), before);
	const problem = phrasesProblem(value, before);

	const save = (): void => {
		setForm(form => ({...form, refusal: undefined}));
		void saveOverlay({
			kind: 'phrases',
			resource: 'installed',
			id,
			subject: `the trigger phrases of ${name}`,
			pronoun: 'them',
			editKey: 'edit-phrases',
			async send() {
				const record = seen ?? decodeRecord('installed', {id, name})!;
				await saveChecked(session, {resource: 'installed', seen: record, values: {triggers: phrases}});
				return `Saved: ${name} ${phrasesText(phrases)}.`;
			},
			onConflict(newest) {
				setForm(form => ({...form, seen: newest}));
			},
			refuse(error, hint) {
				setForm(form => ({...form, refusal: refusalText(error, hint, 'them')}));
			},
		});
	};

	const enter = (): void => {
		if (phrases.join(',') === before.join(',')) {
			closeOverlay(ui, 'phrases', id);
			ui.say('info', `No changes: ${name} keeps its trigger phrases.`);
		} else if (problem === undefined && leavesSkillSilent(installed?.category ?? '', value)) {
			ask(ui, {question: `Save ${name} without a trigger phrase?`, details: [silentSkillText], yes: 'save without', onYes: save});
		} else if (problem === undefined) {
			save();
		}
	};

	useKeys(layers.form, {
		onKey(key) {
			// Leaving would allow a switch, which also sends the old phrases: wait for the answer first.
			if (!isSaving && key.name === 'escape') {
				closeOverlay(ui, 'phrases', id);
				if (gone !== undefined && typed !== undefined) {
					ui.say('info', `${gone} You had typed: ${typed}`);
				}
			} else if (!isSaving && key.name === 'enter') {
				enter();
			}

			return (key.name === 'escape' || key.name === 'enter') && 'settle';
		},
	});

	return (
		<DetailFrame
			head={<TitleLine title={`Trigger phrases of ${name}`} notes={[session.account.profileName]} />}
			hints={isSaving ? [{key: '', label: 'saving…'}] : hints}
		>
			<Box flexDirection="column" flexShrink={0} paddingLeft={1}>
				<TextField
					label="Phrases"
					labelWidth={labelWidth}
					width={columns - 2}
					value={value}
					isFocused={!isSaving}
					placeholder="separated by commas"
					problem={refusal ?? gone ?? problem}
					onChange={changed => setForm(() => ({seen, typed: changed}))}
				/>
			</Box>
			<Box flexDirection="column" paddingLeft={3} overflow="hidden">
				{phrases.map(phrase => (
					<Text key={phrase} {...theme.secondary} wrap="truncate-end">{`· ${phrase}`}</Text>
				))}
			</Box>
		</DetailFrame>
	);
};
