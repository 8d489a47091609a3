import {useState, type ReactElement, type ReactNode} from 'react';
import {cleanText} from '../../../interface/clean-text.ts';
import {goneText} from '../../../interface/lists.ts';
import type {Agent} from '../../../interface/records.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {originalText, useEditAgent} from '../../hooks/saves.ts';
import {layers, useKeys} from '../../keys/dispatcher.ts';
import {TextField} from '../../widgets/text-field.tsx';
import {graphemes} from '../../../terminal/wrap.ts';
import {closeOverlay, refusalText, useSaveOverlay} from '../save-overlay.ts';

/** A name as its field shows it: whole, on one line, and safe for a terminal. */
const shownName = (original: string): string => cleanText(original, Math.max(1, original.length));

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
	if (characters.map(({shown}) => shown).join('') !== shownName(original)) {
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

const labelWidth = 7;

type NameFieldProps = {
	readonly agent: Agent;
	readonly isGone: boolean;
	/** Shown instead while the name is being saved. */
	readonly children: ReactNode;
};

/**
Draws the name of an agent as a field, which follows the list until something is typed: Enter saves it, Escape cancels. A refused name stays
in the field, with the reason.
*/
export function NameField({agent, isGone, children}: NameFieldProps): ReactElement {
	const ui = useUiServices();
	const {columns} = useAppState().size;
	const {pending, isPending, edit} = useEditAgent();
	const saveOverlay = useSaveOverlay();
	// The agent when the person began to type. After a conflict, the reported one.
	const [seen = agent, setSeen] = useState<Agent | undefined>(undefined);
	const [typed, setTyped] = useState<string | undefined>(undefined);
	const [problem, setProblem] = useState<string | undefined>(undefined);
	const original = originalText('agents', seen, 'name') ?? '';
	const shown = typed ?? shownName(original);
	const gone = isGone ? goneText('agents', agent.name) : undefined;

	const enter = (): void => {
		const name = typedName(original, shown);
		if (isPending(agent.id)) {
			return;
		}

		setProblem(undefined);
		if (name === '') {
			setProblem('Enter a name.');
		} else if (shown === shownName(original) || name === original) {
			closeOverlay(ui, 'agent-name', agent.id);
		} else {
			void saveOverlay({
				kind: 'agent-name',
				resource: 'agents',
				id: agent.id,
				subject: `the name of ${agent.name}`,
				pronoun: 'it',
				editKey: 'edit-name',
				send: async () => `Saved: the agent is called ${(await edit(seen, {name})).name}.`,
				onConflict: setSeen,
				refuse(error, hint) {
					setProblem(refusalText(error, hint, 'it'));
				},
			});
		}
	};

	useKeys(layers.form, {
		onKey(key) {
			if (key.name === 'enter') {
				enter();
			} else if (key.name === 'escape') {
				closeOverlay(ui, 'agent-name', agent.id);
				if (gone !== undefined && typed !== undefined) {
					ui.say('warning', `${gone} You had typed: ${typed}`);
				}
			}

			return key.name === 'enter' || key.name === 'escape';
		},
	});

	const change = (value: string): void => {
		setSeen(seen);
		setProblem(undefined);
		setTyped(value);
	};

	return pending.has(agent.id) ? (
		<>{children}</>
	) : (
		<TextField
			isFocused
			label="Name"
			labelWidth={labelWidth}
			width={columns - 1}
			value={shown}
			problem={problem ?? gone}
			onChange={change}
		/>
	);
}
