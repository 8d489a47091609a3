import {
	useRef,
	useState,
	type ReactElement,
	type ReactNode,
} from 'react';
import {toSwitchboardError} from '../../../interface/errors.ts';
import {goneText} from '../../../interface/lists.ts';
import {type Agent} from '../../../interface/records.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {originalOf} from '../../hooks/agent-changes.ts';
import {isEditConflict} from '../../hooks/checked-save.ts';
import {seenRecords} from '../../hooks/seen-records.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {useEditAgent} from '../../hooks/use-edit-agent.ts';
import {keyName} from '../../keys/hints.ts';
import {layers, useKeys} from '../../keys/use-keys.ts';
import {TextField} from '../../widgets/text-field.tsx';
import {closeOverlay, isOnTop} from './close-overlay.ts';
import {failureText} from './failure-text.ts';
import {shownName, typedName} from './typed-name.ts';

const labelWidth = 7;

type NameFieldProps = {
	/** The newest that is known of it. */
	readonly agent: Agent;
	/** True if it was deleted. */
	readonly isGone: boolean;
	/** Shown in its place while the name is being saved. */
	readonly children: ReactNode;
};

/** The name of an agent as a field, which follows the list until something is typed: Enter saves it, Escape cancels. A refused name stays in it, with the reason. */
export const NameField = ({agent, isGone, children}: NameFieldProps): ReactElement => {
	const ui = useUiServices();
	const {columns} = useAppState().size;
	const session = useServiceSession();
	const {pending, isPending, edit} = useEditAgent();
	// The agent as it was when the person began to type. After a conflict it is the one that was reported.
	const seen = useRef<Agent | undefined>(undefined);
	const [typed, setTyped] = useState<string | undefined>(undefined);
	const [problem, setProblem] = useState<string | undefined>(undefined);
	const originalOfSeen = (): string => originalOf(seen.current ?? agent).name ?? '';
	const shown = typed ?? shownName(originalOfSeen());
	const gone = isGone ? goneText('agents', agent.name) : undefined;
	const isSaving = pending.has(agent.id);

	const close = (): void => {
		closeOverlay(ui, 'agent-name', agent.id);
	};

	const cancel = (): void => {
		close();
		if (gone !== undefined && typed !== undefined) {
			ui.say('info', `${gone} You had typed: ${typed}`);
		}
	};

	const change = (value: string): void => {
		seen.current ??= agent;
		setProblem(undefined);
		setTyped(value);
	};

	const save = async (name: string): Promise<void> => {
		setProblem(undefined);
		try {
			const edited = await edit(seen.current ?? agent, {name});
			close();
			ui.say('info', `Saved: the agent is called ${edited.name}.`);
		} catch (error_) {
			const error = toSwitchboardError(error_);
			const isConflict = isEditConflict(error);
			if (isConflict) {
				seen.current = seenRecords(session, 'agents')?.find(({id}) => id === agent.id);
			}

			if (isOnTop(ui, 'agent-name', agent.id)) {
				setProblem(isConflict ? `${error.message} Press Enter to overwrite it.` : error.message);
			} else {
				ui.say('error', failureText(`the name of ${agent.name}`, error, `${keyName(ui.keymap, 'edit-name')} edits it again.`), error);
			}
		}
	};

	const enter = (): void => {
		if (isPending(agent.id)) {
			return;
		}

		const original = originalOfSeen();
		const name = typedName(original, shown);
		if (name === '') {
			setProblem('Enter a name.');
		} else if (shown === shownName(original) || name === original) {
			close();
		} else {
			void save(name);
		}
	};

	useKeys(layers.form, {
		onKey(key) {
			if (key.name === 'enter') {
				enter();
			} else if (key.name === 'escape') {
				cancel();
			}

			return key.name === 'enter' || key.name === 'escape';
		},
	});

	return isSaving
		? <>{children}</>
		: <TextField isFocused label='Name' labelWidth={labelWidth} width={columns - 1} value={shown} problem={problem ?? gone} onChange={change}/>;
};
