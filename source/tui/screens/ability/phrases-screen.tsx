import {useState, useSyncExternalStore, type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {toSwitchboardError} from '../../../interface/errors.ts';
import {splitTriggerPhrases} from '../../../interface/names.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {isEditConflict} from '../../hooks/checked-save.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {phraseListText, useEditPhrases} from '../../hooks/use-edit-phrases.ts';
import {useInstalled} from '../../hooks/use-installed.ts';
import {layers, useKeys} from '../../keys/use-keys.ts';
import {theme} from '../../theme.ts';
import {TextField} from '../../widgets/text-field.tsx';
import {DetailFrame, TitleLine} from '../detail-frame.tsx';
import {closeOverlay} from '../agent/close-overlay.ts';
import {ask} from '../ask.ts';
import {forgetPhraseForm, phraseFormOf} from './phrase-form.ts';
import {leavesSkillSilent, phrasesProblem, silentSkillText} from './phrase-rules.ts';

const labelWidth = 11;

const hints = [{key: 'enter', label: 'save'}, {key: 'esc', label: 'back'}, {key: 'ctrl+u', label: 'clear'}];

/** The trigger phrases of an installed ability as a field, checked as they are typed. Refused phrases stay in it. */
export const PhrasesScreen = ({id}: {readonly id: number}): ReactElement => {
	const ui = useUiServices();
	const {size: {columns}} = useAppState();
	const session = useServiceSession();
	const {records} = useInstalled();
	const {savePhrases} = useEditPhrases();
	const found = records?.find(record => record.id === id);
	// It stays open if the record disappears, so that typed text is not lost.
	const [installed] = useState(found);
	const [store] = useState(() => phraseFormOf(session, id, found));
	const {typed, isSaving, refusal} = useSyncExternalStore(store.subscribe, store.getState);
	const before = installed?.triggerPhrases ?? [];
	const initial = before.join(', ');
	const list = typed ?? initial;
	const name = installed?.name ?? `#${id}`;
	const phrases = splitTriggerPhrases(list);
	const problem = phrasesProblem(list, before);

	const leave = (): void => {
		forgetPhraseForm(session, id);
		closeOverlay(ui, 'phrases', id);
	};

	const save = async (): Promise<void> => {
		store.dispatch({isSaving: true, refusal: undefined});
		try {
			await savePhrases(store.getState().seen ?? found ?? {id, name, triggerPhrases: before}, phrases);
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
				...(isConflict && {seen: undefined}),
			});
		}
	};

	const enter = (): void => {
		if (phrases.join(',') === before.join(',')) {
			leave();
			ui.say('info', `No changes: ${name} keeps its trigger phrases.`);
		} else if (problem === undefined && leavesSkillSilent(installed?.category ?? '', list)) {
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

	useKeys(layers.overlay, {
		onKey(key) {
			// Leaving would allow a switch, which also sends the old phrases: wait for the answer first.
			const isBusy = store.getState().isSaving;
			if (!isBusy && key.name === 'escape') {
				leave();
			} else if (!isBusy && key.name === 'enter') {
				enter();
			}

			return 'settle';
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
					value={list}
					isFocused={!isSaving}
					placeholder='separated by commas'
					problem={refusal ?? problem}
					onChange={value => {
						store.dispatch({typed: value, refusal: undefined});
					}}
				/>
			</Box>
			<Box flexDirection='column' paddingLeft={3} overflow='hidden'>
				{phrases.map(phrase => <Text key={phrase} {...theme.secondary} wrap='truncate-end'>{`· ${phrase}`}</Text>)}
			</Box>
		</DetailFrame>
	);
};
