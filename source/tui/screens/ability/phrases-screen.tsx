import {useState, useSyncExternalStore, type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {toSwitchboardError} from '../../../interface/errors.ts';
import {goneText} from '../../../interface/lists.ts';
import {splitTriggerPhrases} from '../../../interface/names.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {isEditConflict} from '../../hooks/checked-save.ts';
import {seenRecords} from '../../hooks/seen-records.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {phraseListText, useEditPhrases} from '../../hooks/use-edit-phrases.ts';
import {useInstalled} from '../../hooks/use-installed.ts';
import {isGone} from '../../hooks/use-resource.ts';
import {layers, useKeys} from '../../keys/use-keys.ts';
import {theme} from '../../theme.ts';
import {TextField} from '../../widgets/text-field.tsx';
import {useLastKnown} from '../../widgets/use-remembered-state.ts';
import {DetailFrame, TitleLine} from '../detail-frame.tsx';
import {closeOverlay} from '../agent/close-overlay.ts';
import {ask} from '../ask.ts';
import {forgetPhraseForm, phraseFormOf} from './phrase-form.ts';
import {leavesSkillSilent, phrasesProblem, silentSkillText} from './phrase-rules.ts';

const labelWidth = 11;

const hints = [{key: 'enter', label: 'save'}, {key: 'esc', label: 'back'}, {key: 'ctrl+u', label: 'clear'}];

/** The trigger phrases of an installed ability as a field, which follows the list until something is typed, and is checked then. Refused phrases stay in it. */
export const PhrasesScreen = ({id}: {readonly id: number}): ReactElement => {
	const ui = useUiServices();
	const {size: {columns}} = useAppState();
	const session = useServiceSession();
	const list = useInstalled();
	const {savePhrases} = useEditPhrases();
	// It stays open if the record disappears, so that typed text is not lost.
	const installed = useLastKnown('record', list.records?.find(record => record.id === id));
	const [store] = useState(() => phraseFormOf(session, id));
	const {typed, isSaving, refusal, seen = installed} = useSyncExternalStore(store.subscribe, store.getState);
	const before = seen?.triggerPhrases ?? [];
	const value = typed ?? before.join(', ');
	const name = installed?.name ?? `#${id}`;
	const gone = isGone(list, id) ? goneText('installed', name) : undefined;
	const phrases = splitTriggerPhrases(value);
	const problem = phrasesProblem(value, before);

	const leave = (): void => {
		forgetPhraseForm(session, id);
		closeOverlay(ui, 'phrases', id);
	};

	const cancel = (): void => {
		leave();
		if (gone !== undefined && typed !== undefined) {
			ui.say('info', `${gone} You had typed: ${typed}`);
		}
	};

	const save = async (): Promise<void> => {
		store.dispatch({isSaving: true, refusal: undefined});
		try {
			await savePhrases(seen ?? {id, name, triggerPhrases: before}, phrases);
			leave();
			ui.say('info', `Saved: ${name} has ${phraseListText(phrases)}.`);
		} catch (error) {
			const failure = toSwitchboardError(error);
			const {message, isOutcomeUnknown} = failure;
			const isConflict = isEditConflict(failure);
			const reason = isOutcomeUnknown ? `It is not known whether the service saved them: ${message}` : message;
			store.dispatch({
				isSaving: false,
				refusal: `${reason} ${isConflict ? 'Press Enter to overwrite them.' : failure.nextStep ?? ''}`.trim(),
				...(isConflict && {seen: seenRecords(session, 'installed')?.find(record => record.id === id)}),
			});
		}
	};

	const enter = (): void => {
		if (phrases.join(',') === before.join(',')) {
			leave();
			ui.say('info', `No changes: ${name} keeps its trigger phrases.`);
		} else if (problem === undefined && leavesSkillSilent(installed?.category ?? '', value)) {
			ask(ui, {
				question: `Save ${name} without a trigger phrase?`,
				details: [silentSkillText],
				yes: 'save without',
				onYes() {
					void save();
				},
			});
		} else if (problem === undefined) {
			void save();
		}
	};

	useKeys(layers.form, {
		onKey(key) {
			// Leaving would allow a switch, which also sends the old phrases: wait for the answer first.
			const isBusy = store.getState().isSaving;
			if (!isBusy && key.name === 'escape') {
				cancel();
			} else if (!isBusy && key.name === 'enter') {
				enter();
			}

			return (key.name === 'escape' || key.name === 'enter') && 'settle';
		},
	});

	return (
		<DetailFrame
			head={<TitleLine title={`Trigger phrases of ${name}`} notes={[session.profileName]}/>}
			hints={isSaving ? [{key: '', label: 'saving…'}] : hints}
		>
			<Box flexDirection='column' flexShrink={0} paddingLeft={1}>
				<TextField
					label='Phrases'
					labelWidth={labelWidth}
					width={columns - 2}
					value={value}
					isFocused={!isSaving}
					placeholder='separated by commas'
					problem={refusal ?? gone ?? problem}
					onChange={changed => {
						store.dispatch({typed: changed, refusal: undefined, seen});
					}}
				/>
			</Box>
			<Box flexDirection='column' paddingLeft={3} overflow='hidden'>
				{phrases.map(phrase => <Text key={phrase} {...theme.secondary} wrap='truncate-end'>{`· ${phrase}`}</Text>)}
			</Box>
		</DetailFrame>
	);
};
