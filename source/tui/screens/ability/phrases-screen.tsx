import {useRef, useState, type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {toSwitchboardError} from '../../../interface/errors.ts';
import {splitTriggerPhrases} from '../../../interface/names.ts';
import {useAppState, useProgram} from '../../app-context.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {useEditPhrases} from '../../hooks/use-edit-phrases.ts';
import {useInstalled} from '../../hooks/use-installed.ts';
import {layers, useKeys} from '../../keys/use-keys.ts';
import {theme} from '../../theme.ts';
import {TextField} from '../../widgets/text-field.tsx';
import {nextStepHere} from '../next-step.ts';
import {AgentFrame, TitleLine} from '../agent/agent-frame.tsx';
import {complainAboutPhrases} from './phrase-complaint.ts';

const labelWidth = 11;

const hints = [{key: 'enter', label: 'save'}, {key: 'esc', label: 'back'}, {key: 'ctrl+u', label: 'begin anew'}];

/** The trigger phrases of an installed ability as a field, with the rules as they are typed. What is refused stays in it. */
export const PhrasesScreen = ({id}: {readonly id: number}): ReactElement => {
	const program = useProgram();
	const {store} = program;
	const {size: {columns}} = useAppState();
	const {profileName} = useServiceSession();
	const {records} = useInstalled();
	const {savePhrases} = useEditPhrases();
	const found = records?.find(record => record.id === id);
	// It stays open where the record goes: what was typed is not lost by that.
	const [installed] = useState(found);
	// What the phrases were when they were edited; none after a conflict, when the newest ones take their place.
	const seen = useRef(found);
	const before = installed?.triggerPhrases ?? [];
	const [list, setList] = useState(before.join(', '));
	const [refusal, setRefusal] = useState<string | undefined>(undefined);
	const [isSaving, setSaving] = useState(false);
	const isBusy = useRef(false);
	const name = installed?.name ?? `#${id}`;
	const phrases = splitTriggerPhrases(list);
	const complaint = complainAboutPhrases(list, before);

	const save = async (): Promise<void> => {
		isBusy.current = true;
		setSaving(true);
		setRefusal(undefined);
		try {
			await savePhrases(seen.current ?? found ?? {id, name, triggerPhrases: before}, phrases);
			store.dispatch({type: 'close'});
			program.say('info', phrases.length === 0 ? `${name} has no trigger phrases now.` : `The trigger phrases of ${name} are saved: ${phrases.join(', ')}.`);
		} catch (error) {
			const failure = toSwitchboardError(error);
			const {kind, status, message, isOutcomeUnknown} = failure;
			const isConflict = kind === 'conflict' && status === undefined;
			if (isConflict) {
				seen.current = undefined;
			}

			const said = isOutcomeUnknown ? `It is not known whether they are saved: ${message}` : message;
			setRefusal(`${said} ${isConflict ? 'Enter replaces them all the same.' : nextStepHere(failure, program.keymap) ?? ''}`.trim());
		}

		isBusy.current = false;
		setSaving(false);
	};

	const enter = (): void => {
		if (phrases.join(',') === before.join(',')) {
			store.dispatch({type: 'close'});
			program.say('info', `The trigger phrases of ${name} stay as they are.`);
		} else if (complaint === undefined) {
			void save();
		}
	};

	useKeys(layers.overlay, {
		onKey(key) {
			// Switching would send the old phrases along: first the answer, then the list.
			if (!isBusy.current && key.name === 'escape') {
				store.dispatch({type: 'close'});
			} else if (!isBusy.current && key.name === 'enter') {
				enter();
			}

			return 'settle';
		},
	});

	return (
		<AgentFrame
			head={<TitleLine title={`Trigger phrases of ${name}`} note={profileName}/>}
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
					complaint={refusal ?? complaint}
					onChange={value => {
						setRefusal(undefined);
						setList(value);
					}}
				/>
			</Box>
			<Box flexDirection='column' paddingLeft={3} overflow='hidden'>
				{phrases.map(phrase => <Text key={phrase} {...theme.secondary} wrap='truncate-end'>{`· ${phrase}`}</Text>)}
			</Box>
		</AgentFrame>
	);
};
