import {useState, useSyncExternalStore, type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {toSwitchboardError} from '../../../interface/errors.ts';
import {splitTriggerPhrases} from '../../../interface/names.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {useEditPhrases} from '../../hooks/use-edit-phrases.ts';
import {useInstalled} from '../../hooks/use-installed.ts';
import {layers, useKeys} from '../../keys/use-keys.ts';
import {theme} from '../../theme.ts';
import {TextField} from '../../widgets/text-field.tsx';
import {DetailFrame, TitleLine} from '../detail-frame.tsx';
import {closeOverlay} from '../agent/close-overlay.ts';
import {ask} from './ask.ts';
import {leavesSkillSilent, silentSkillText} from './no-phrases.ts';
import {phrasesProblem} from './phrases-problem.ts';
import {forgetPhraseForm, phraseFormOf} from './phrase-form.ts';

const labelWidth = 11;

const hints = [{key: 'enter', label: 'save'}, {key: 'esc', label: 'back'}, {key: 'ctrl+u', label: 'clear'}];

/** The trigger phrases of an installed ability as a field, with the rules as they are typed. What is refused stays in it. */
export const PhrasesScreen = ({id}: {readonly id: number}): ReactElement => {
	const ui = useUiServices();
	const {size: {columns}} = useAppState();
	const session = useServiceSession();
	const {records} = useInstalled();
	const {savePhrases} = useEditPhrases();
	const found = records?.find(record => record.id === id);
	// It stays open where the record goes: what was typed is not lost by that.
	const [installed] = useState(found);
	const [store] = useState(() => phraseFormOf(session, id, found));
	const {typed, isSaving, refusal} = useSyncExternalStore(store.subscribe, store.getState);
	const before = installed?.triggerPhrases ?? [];
	const initial = before.join(', ');
	const list = typed ?? initial;
	const name = installed?.name ?? `#${id}`;
	const phrases = splitTriggerPhrases(list);
	const complaint = phrasesProblem(list, before);

	const leave = (): void => {
		forgetPhraseForm(session, id);
		closeOverlay(ui, 'phrases', id);
	};

	const save = async (): Promise<void> => {
		store.dispatch({isSaving: true, refusal: undefined});
		try {
			await savePhrases(store.getState().seen ?? found ?? {id, name, triggerPhrases: before}, phrases);
			leave();
			ui.say('info', phrases.length === 0 ? `${name} has no trigger phrases now.` : `The trigger phrases of ${name} are saved: ${phrases.join(', ')}.`);
		} catch (error) {
			const failure = toSwitchboardError(error);
			const {kind, status, message, isOutcomeUnknown} = failure;
			const isConflict = kind === 'conflict' && status === undefined;
			const said = isOutcomeUnknown ? `It is not known whether they are saved: ${message}` : message;
			store.dispatch({
				isSaving: false,
				refusal: `${said} ${isConflict ? 'Enter replaces them all the same.' : failure.nextStep ?? ''}`.trim(),
				...(isConflict && {seen: undefined}),
			});
		}
	};

	const enter = (): void => {
		if (phrases.join(',') === before.join(',')) {
			leave();
			ui.say('info', `The trigger phrases of ${name} stay as they are.`);
		} else if (complaint === undefined && leavesSkillSilent(installed?.category ?? '', list)) {
			ask(ui, {
				question: `Save ${name} without a trigger phrase?`,
				details: [silentSkillText],
				yes: 'save it without',
				onYes() {
					void save();
				},
			});
		} else if (complaint === undefined) {
			void save();
		}
	};

	useKeys(layers.overlay, {
		onKey(key) {
			// Switching would send the old phrases along: first the answer, then the list.
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
					placeholder='commas between them'
					problem={refusal ?? complaint}
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
