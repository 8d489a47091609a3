import {useRef, useState, type ReactElement} from 'react';
import {Box, Text} from 'ink';
import cliTruncate from 'cli-truncate';
import SelectInput from 'ink-select-input';
import {errorText, toSwitchboardError} from '../../interface/errors.ts';
import {shellWord} from '../../platform/shell-word.ts';
import {keyLastFour, localProfileName} from '../../settings/profile.ts';
import {type UiServices, useAppState, useUiServices} from '../app-context.ts';
import {layers, useKeys} from '../keys/dispatcher.ts';
import {hintOf, isBackKey} from '../../words/keymap.ts';
import {profileMarks} from '../../words/signs.ts';
import {withCursor} from '../../terminal/cursor-mark.ts';
import {theme} from '../theme.ts';
import {moveOf, targetRow} from '../state/list-state.ts';
import {askQuestion} from './confirm.tsx';
import {DetailFrame} from './detail-frame.tsx';
import {numberOf, rowNumber} from './list-overlay.tsx';
import {NameForm} from './form.tsx';

/** Switches to a profile, or asks for its key if it is signed out. Reports errors. */
export async function showProfile(ui: UiServices, name: string): Promise<void> {
	const profile = ui.profiles.all().find(each => each.name === name);
	if (profile !== undefined && profile.apiKey === undefined) {
		ui.store.dispatch({type: 'open', overlay: {kind: 'sign-in', baseAddress: profile.baseAddress, isKeyMissing: true}});
		return;
	}

	if (name === ui.profiles.currentName()) {
		ui.say('info', `${name} is already shown.`);
		return;
	}

	await reporting(ui, async () => ui.profiles.show(name));
}

async function reporting(ui: UiServices, work: () => Promise<void>): Promise<void> {
	try {
		await work();
	} catch (error_) {
		const error = toSwitchboardError(error_);
		ui.say('error', errorText(error), error);
	}
}

/** Switches profiles, connects to another service, or signs out. */
export function ProfilesScreen(): ReactElement {
	const ui = useUiServices();
	const {size} = useAppState();
	const [items] = useState(() => itemsFor(ui));
	const [shownIndex] = useState(() => items.findIndex(({key}) => key === showKey(ui.profiles.currentName())));
	const cursor = useRef(Math.max(0, shownIndex));
	const [jumpCount, setJumpCount] = useState(0);
	const limit = Math.max(1, size.rows - 3);
	useKeys(layers.overlay, {
		// The menu of the library wraps around at its ends, lets digits choose without showing that, and knows no pages: it gets only
		// Enter.
		onKey({name}) {
			const {profileName} = items[cursor.current]!;
			const move = moveOf(ui.keymap.actionOf(name, ['list']));
			const numbered = items[numberOf(name) - 1];
			if (numbered?.isProfile) {
				ui.store.dispatch({type: 'close'});
				numbered.value();
			} else if (move !== undefined) {
				cursor.current = targetRow(move, cursor.current, items.length, limit);
				setJumpCount(count => count + 1);
			} else if (isBackKey(ui.keymap, name)) {
				ui.store.dispatch({type: 'close'});
			} else if (ui.keymap.keysOf('edit-name').includes(name) && profileName !== undefined) {
				ui.store.dispatch({type: 'open', overlay: {kind: 'profile-name', name: profileName}});
			}

			return name !== 'enter' || 'forward';
		},
	});

	return (
		<DetailFrame
			isPlain
			title="Profiles"
			hints={[
				{key: 'enter', label: 'choose'},
				{key: 'j/k', label: 'move'},
				items.some(({profileName}) => profileName !== undefined) && hintOf(ui.keymap, 'edit-name', 'rename'),
				{key: 'esc', label: 'back'},
			]}
		>
			<Box flexDirection="column" paddingX={1} overflow="hidden">
				<SelectInput
					// The menu loses its cursor when its height changes, and knows neither pages nor ends, so a new one starts at the right
					// place.
					key={`${limit} ${jumpCount}`}
					initialIndex={cursor.current}
					items={items.map((item, row) => ({
						...item,
						label: cliTruncate(`${item.isProfile ? rowNumber(row) : ''}${item.label}`, size.columns - 5),
					}))}
					indicatorComponent={Indicator}
					itemComponent={ItemLabel}
					limit={limit}
					onSelect={({value}) => {
						ui.store.dispatch({type: 'close'});
						value();
					}}
				/>
			</Box>
		</DetailFrame>
	);
}

type Item = {
	readonly key: string;
	readonly label: string;
	readonly value: () => void;
	readonly profileName?: string;
	readonly isProfile?: true;
};

function itemsFor(ui: UiServices): Item[] {
	const profiles = ui.profiles.all();
	const current = ui.profiles.currentName();
	const marks = profileMarks(profiles.map(({name}) => name));
	const mark = (name: string): string => (name === current ? ' (current)' : '');
	const show = (name: string) => (): void => {
		void showProfile(ui, name);
	};

	return [
		{
			key: showKey(localProfileName),
			label: `${localProfileName} · the bundled service on this machine${mark(localProfileName)}`,
			value: show(localProfileName),
			isProfile: true,
		},
		...profiles.map(profile => ({
			key: showKey(profile.name),
			label: [
				`${marks.get(profile.name)!.sign} ${profile.name}`,
				profile.baseAddress,
				`${profile.apiKey === undefined ? 'signed out' : `key …${keyLastFour(profile)}`}${mark(profile.name)}`,
			].join(' · '),
			value: show(profile.name),
			isProfile: true as const,
			profileName: profile.name,
		})),
		{
			key: 'sign-in',
			label: 'Connect to a service…',
			value() {
				ui.store.dispatch({type: 'open', overlay: {kind: 'sign-in', ...ui.profiles.proposedSignIn()}});
			},
		},
		...profiles
			.filter(({apiKey}) => apiKey !== undefined)
			.map(({name}) => ({
				key: `sign-out ${name}`,
				label: `Sign out of ${name} (deletes the stored key)`,
				value() {
					askToSignOut(ui, name);
				},
			})),
	];
}

const showKey = (name: string): string => `show ${name}`;

/** Asks first, because the key may be stored nowhere else. */
function askToSignOut(ui: UiServices, name: string): void {
	const isShown = name === ui.profiles.currentName();
	const {count, text} = ui.profiles.earlierPrompts(name);
	askQuestion(ui, {
		question: `Sign out of ${name}?`,
		details: [
			`The stored key${count === 0 ? ' and unsaved texts' : `, unsaved texts and ${text}`} are deleted; the address is kept.`,
			...(count === 0 ? [] : [`To keep the prompts, leave and run: switchboard logout --profile ${shellWord(name)} --keep-prompts`]),
			...(isShown ? ['The bundled service is shown instead.'] : []),
		],
		yes: 'sign out',
		onYes() {
			void reporting(ui, async () => ui.profiles.signOut(name));
		},
	});
}

const Indicator = ({isSelected = false}: {readonly isSelected?: boolean}): ReactElement => (
	<Text {...theme.accent} bold>
		{isSelected ? withCursor('row', '> ') : '  '}
	</Text>
);

const ItemLabel = ({isSelected = false, label}: {readonly isSelected?: boolean; readonly label: string}): ReactElement => (
	<Text {...(isSelected ? theme.current : theme.plain)}>{label}</Text>
);

/** Renames a profile. A refused name stays in the form, with the reason. */
export function ProfileNameScreen({name}: {readonly name: string}): ReactElement {
	const ui = useUiServices();
	return (
		<NameForm
			title={`Rename the profile ${name}`}
			initial={name}
			onSave={async newName => {
				if (newName !== name) {
					await ui.profiles.rename(name, newName);
				}

				ui.store.dispatch({type: 'close'});
			}}
		/>
	);
}
