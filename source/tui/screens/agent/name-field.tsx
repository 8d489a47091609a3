import {
	useRef,
	useState,
	type ReactElement,
	type ReactNode,
} from 'react';
import {toSwitchboardError} from '../../../interface/errors.ts';
import {type Agent} from '../../../interface/records.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {originalOf} from '../../hooks/agent-changes.ts';
import {isEditConflict} from '../../hooks/checked-save.ts';
import {useEditAgent} from '../../hooks/use-edit-agent.ts';
import {keyName} from '../../keys/hints.ts';
import {layers, useKeys} from '../../keys/use-keys.ts';
import {TextField} from '../../widgets/text-field.tsx';
import {closeOverlay, isOnTop} from './close-overlay.ts';
import {failureText} from './failure-text.ts';
import {shownName, typedName} from './typed-name.ts';

const labelWidth = 7;

type NameFieldProps = {
	readonly agent: Agent;
	/** Shown in its place while the name is being saved. */
	readonly children: ReactNode;
};

/** The name of an agent as a field: Enter saves it, Escape cancels. A refused name stays in it, with the reason. */
export const NameField = ({agent, children}: NameFieldProps): ReactElement => {
	const ui = useUiServices();
	const {columns} = useAppState().size;
	const {pending, isPending, edit} = useEditAgent();
	// The agent as it was when the name was typed. After a conflict it is the newest one.
	const seen = useRef<Agent | undefined>(agent);
	const original = originalOf(agent).name ?? '';
	const [initial] = useState(() => shownName(original));
	const [typed, setTyped] = useState(initial);
	const [problem, setProblem] = useState<string | undefined>(undefined);
	const isSaving = pending.has(agent.id);

	const close = (): void => {
		closeOverlay(ui, 'agent-name', agent.id);
	};

	const change = (value: string): void => {
		setProblem(undefined);
		setTyped(value);
	};

	const save = async (name: string): Promise<void> => {
		seen.current ??= agent;
		setProblem(undefined);
		try {
			const edited = await edit(seen.current, {name});
			close();
			ui.say('info', `Saved: the agent is called ${edited.name}.`);
		} catch (error_) {
			const error = toSwitchboardError(error_);
			const isConflict = isEditConflict(error);
			if (isConflict) {
				seen.current = undefined;
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

		const name = typedName(original, typed);
		if (name === '') {
			setProblem('Enter a name.');
		} else if (typed === initial || name === original) {
			close();
		} else {
			void save(name);
		}
	};

	useKeys(layers.field, {
		onKey(key) {
			if (key.name === 'enter') {
				enter();
			} else if (key.name === 'escape') {
				close();
			}

			return key.name === 'enter' || key.name === 'escape';
		},
	});

	return isSaving
		? <>{children}</>
		: <TextField isFocused label='Name' labelWidth={labelWidth} width={columns - 1} value={typed} problem={problem} onChange={change}/>;
};
