import {useRef, useState, type ReactElement} from 'react';
import {Box, Text} from 'ink';
import cliTruncate from 'cli-truncate';
import SelectInput from 'ink-select-input';
import {toSwitchboardError} from '../../interface/errors.ts';
import {keyLastFour, localProfileName} from '../../settings/profile.ts';
import {useAppState, useUiServices, type UiServices} from '../app-context.ts';
import {hintOf} from '../keys/hints.ts';
import {layers, useKeys} from '../keys/use-keys.ts';
import {type ProposedSignIn} from '../state/app-state.ts';
import {theme} from '../theme.ts';
import {HintLine} from '../widgets/hint-line.tsx';
import {profileMarks} from '../widgets/profile-mark.ts';

type Choice =
	| {readonly kind: 'show'; readonly name: string}
	| {readonly kind: 'sign-in'; readonly proposed: ProposedSignIn}
	| {readonly kind: 'sign-out'; readonly name: string};

type Item = {
	readonly key: string;
	readonly label: string;
	readonly value: Choice;
	/** The stored profile that the row is. */
	readonly profileName?: string;
};

const itemsFor = (ui: UiServices): Item[] => {
	const profiles = ui.profiles();
	const current = ui.currentProfileName();
	const marks = profileMarks(profiles.map(({name}) => name));
	const mark = (name: string): string => name === current ? ' (shown now)' : '';
	return [
		{
			key: 'local',
			label: `${localProfileName} · the bundled service on this machine${mark(localProfileName)}`,
			value: {kind: 'show', name: localProfileName},
		},
		...profiles.map(profile => ({
			key: `show ${profile.name}`,
			label: [
				`${marks.get(profile.name)!.sign} ${profile.name}`,
				profile.baseAddress,
				`${profile.apiKey === undefined ? 'signed out' : `key …${keyLastFour(profile)}`}${mark(profile.name)}`,
			].join(' · '),
			value: profile.apiKey === undefined
				? {kind: 'sign-in' as const, proposed: {baseAddress: profile.baseAddress, isKeyMissing: true}}
				: {kind: 'show' as const, name: profile.name},
			profileName: profile.name,
		})),
		{key: 'sign-in', label: 'Connect to a service…', value: {kind: 'sign-in', proposed: ui.proposedSignIn()}},
		...profiles.filter(({apiKey}) => apiKey !== undefined).map(({name}) => ({
			key: `sign-out ${name}`,
			label: `Sign out of ${name} (forgets its key)`,
			value: {kind: 'sign-out' as const, name},
		})),
	];
};

const sayFailure = ({say}: UiServices, error_: unknown): void => {
	const error = toSwitchboardError(error_);
	say('error', [error.message, error.nextStep].filter(Boolean).join(' '));
};

const signOut = async (ui: UiServices, name: string): Promise<void> => {
	try {
		await ui.signOut(name);
	} catch (error) {
		sayFailure(ui, error);
	}
};

/** The key may be nowhere else. */
const askToSignOut = (ui: UiServices, name: string): void => {
	const isShown = name === ui.currentProfileName();
	ui.store.dispatch({
		type: 'open',
		overlay: {
			kind: 'confirm',
			question: `Sign out of ${name}?`,
			details: ['Its key is forgotten here; its address stays.', ...(isShown ? ['The bundled service is shown then.'] : [])],
			yes: 'sign out',
			onYes() {
				void signOut(ui, name);
			},
		},
	});
};

const Indicator = ({isSelected = false}: {readonly isSelected?: boolean}): ReactElement => <Text {...theme.accent} bold>{isSelected ? '> ' : '  '}</Text>;

const ItemLabel = ({isSelected = false, label}: {readonly isSelected?: boolean; readonly label: string}): ReactElement =>
	<Text {...(isSelected ? theme.current : theme.plain)}>{label}</Text>;

/** Chooses between profiles, connects to another service, or signs out. */
export const ProfilesScreen = (): ReactElement => {
	const ui = useUiServices();
	const {size} = useAppState();
	const [items] = useState(() => itemsFor(ui));
	const [shownIndex] = useState(() => items.findIndex(({value}) => value.kind === 'show' && value.name === ui.currentProfileName()));
	const cursor = useRef(Math.max(0, shownIndex));
	const rename = items.some(({profileName}) => profileName !== undefined) ? hintOf(ui.keymap, 'edit-name', 'rename') : undefined;
	const limit = Math.max(1, size.rows - 3);
	useKeys(layers.overlay, {
		// The menu goes on from one end at the other, and takes digits for a choice that nothing shows: it gets neither.
		onKey({name}) {
			switch (name) {
				case 'escape':
				case 'q': {
					ui.store.dispatch({type: 'close'});
					return true;
				}

				case 'up':
				case 'k': {
					return cursor.current === 0 || 'forward';
				}

				case 'down':
				case 'j': {
					return cursor.current === items.length - 1 || 'forward';
				}

				default: {
					const {profileName} = items[cursor.current]!;
					if (ui.keymap.keysOf('edit-name').includes(name) && profileName !== undefined) {
						ui.store.dispatch({type: 'open', overlay: {kind: 'profile-name', name: profileName}});
					}

					return name !== 'enter' || 'forward';
				}
			}
		},
	});

	const choose = async ({value}: {readonly value: Choice}): Promise<void> => {
		ui.store.dispatch({type: 'close'});
		try {
			switch (value.kind) {
				case 'show': {
					await ui.switchProfile(value.name);
					break;
				}

				case 'sign-in': {
					ui.store.dispatch({type: 'open', overlay: {kind: 'sign-in', ...value.proposed}});
					break;
				}

				case 'sign-out': {
					askToSignOut(ui, value.name);
					break;
				}
			}
		} catch (error) {
			sayFailure(ui, error);
		}
	};

	return (
		<Box flexDirection='column' height={size.rows}>
			<Text {...theme.title} wrap='truncate-end'> Profiles</Text>
			<Box flexDirection='column' flexGrow={1} paddingX={1} overflow='hidden'>
				<SelectInput
					// At another height the menu would lose its cursor: a new one begins where it was.
					key={limit}
					initialIndex={cursor.current}
					items={items.map(item => ({...item, label: cliTruncate(item.label, size.columns - 5)}))}
					indicatorComponent={Indicator}
					itemComponent={ItemLabel}
					limit={limit}
					onHighlight={({value}) => {
						cursor.current = items.findIndex(item => item.value === value);
					}}
					onSelect={item => {
						void choose(item);
					}}
				/>
			</Box>
			<HintLine width={size.columns} hints={[{key: 'enter', label: 'choose'}, {key: 'j/k', label: 'move'}, ...(rename === undefined ? [] : [rename]), {key: 'esc', label: 'back'}]}/>
		</Box>
	);
};
