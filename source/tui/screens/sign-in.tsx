import {
	useEffect,
	useRef,
	useState,
	type ReactElement,
} from 'react';
import {Box, Text} from 'ink';
import {isLoopbackHost} from '../../interface/base-address.ts';
import {errorText, type SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {useAppState, useUiServices} from '../app-context.ts';
import {layers, useKeys} from '../keys/use-keys.ts';
import {type ProposedSignIn} from '../state/overlays.ts';
import {theme} from '../theme.ts';
import {HintLine} from '../widgets/hint-line.tsx';
import {TextField} from '../widgets/text-field.tsx';
import {wrapText} from '../widgets/wrap.ts';

const fields = ['address', 'key', 'name'] as const;

type Field = typeof fields[number];

const labelWidth = 11;

const storageText = 'Once the service accepts the key, it is stored in a file that only you can read.';

const fieldOf = ({kind, field}: SwitchboardError): Field => field === 'profile' ? 'name' : (['key-refused', 'forbidden', 'no-key'].includes(kind) ? 'key' : 'address');

/** Where to get a key: a service on this machine is most likely the bundled one. */
const keyNeededText = (address: string): string => URL.canParse(address) && isLoopbackHost(new URL(address).hostname)
	? 'Enter a key. Create one with: switchboard keys create'
	: 'Enter a key. Get one in the dashboard under Settings, API Keys.';

/**
Connects to a service: checks address and key against the service, then stores them under a name.

@param isKeyMissing - true if the address is known to be right: the cursor starts on the key.
@param baseAddress - the default. It is not in the field as text: an address typed after it would be appended, and the key
would be sent to a host of that name.
*/
export const SignInScreen = ({baseAddress, isKeyMissing = false}: ProposedSignIn): ReactElement => {
	const ui = useUiServices();
	const {size} = useAppState();
	const [address, setAddress] = useState('');
	const [apiKey, setApiKey] = useState('');
	const [profileName, setProfileName] = useState('');
	const [field, setField] = useState<Field>(isKeyMissing ? 'key' : 'address');
	const [failure, setFailure] = useState<{readonly field: Field; readonly text: string} | undefined>(undefined);
	const [isChecking, setChecking] = useState(false);
	const check = useRef<AbortController | undefined>(undefined);
	useEffect(() => () => {
		check.current?.abort();
	}, []);

	// Looks through the other profiles, so it is not done for every frame.
	const [proposedName, setProposedName] = useState(() => ui.proposedProfileName(baseAddress) ?? '');
	const chosenAddress = address.trim() === '' ? baseAddress : address.trim();

	const submit = async (): Promise<void> => {
		const controller = new AbortController();
		check.current = controller;
		setChecking(true);
		setFailure(undefined);
		try {
			await ui.signIn({baseAddress: chosenAddress, apiKey: apiKey.trim(), profileName: profileName.trim()}, controller.signal);
		} catch (error_) {
			const error = toSwitchboardError(error_);
			if (!controller.signal.aborted) {
				setFailure({field: fieldOf(error), text: errorText(error)});
				setField(fieldOf(error));
			}
		} finally {
			setChecking(false);
		}
	};

	/** An edit removes the failure of the previous text. */
	const edit = (set: (text: string) => void) => (text: string): void => {
		set(text);
		setFailure(undefined);
	};

	const editAddress = edit(text => {
		setAddress(text);
		setProposedName(ui.proposedProfileName(text.trim() === '' ? baseAddress : text.trim()) ?? '');
	});

	const step = (by: 1 | -1) => (): void => {
		setField(fields[(fields.indexOf(field) + by + fields.length) % fields.length]!);
	};

	const enter = (): void => {
		if (field === 'address') {
			setField('key');
		} else if (apiKey.trim() === '') {
			setField('key');
			setFailure({field: 'key', text: keyNeededText(chosenAddress)});
		} else {
			void submit();
		}
	};

	const actions: Readonly<Record<string, () => void>> = {
		escape() {
			ui.store.dispatch({type: 'close'});
		},
		enter,
		tab: step(1),
		down: step(1),
		'shift+tab': step(-1),
		up: step(-1),
	};

	useKeys(layers.form, {
		onKey(key) {
			const action = actions[key.name];
			if (!isChecking) {
				action?.();
			} else if (key.name === 'escape') {
				check.current?.abort();
			}

			return action !== undefined;
		},
	});

	const focused = isChecking ? undefined : field;
	const layout = {labelWidth, width: size.columns - 2};
	const problemOf = (name: Field): string | undefined => failure?.field === name ? failure.text : undefined;
	return (
		<Box flexDirection='column' height={size.rows}>
			<Text {...theme.title} wrap='truncate-end'> Connect to a service</Text>
			<Box flexDirection='column' flexGrow={1} paddingX={1} paddingTop={size.rows < 14 ? 0 : 1} overflow='hidden'>
				<TextField label='Address' {...layout} value={address} isFocused={focused === 'address'} placeholder={baseAddress} problem={problemOf('address')} onChange={editAddress}/>
				<TextField label='API key' {...layout} value={apiKey} isFocused={focused === 'key'} mask='*' problem={problemOf('key')} onChange={edit(setApiKey)}/>
				<TextField
					label='Name'
					{...layout}
					value={profileName}
					isFocused={focused === 'name'}
					placeholder={proposedName}
					problem={problemOf('name')}
					onChange={edit(setProfileName)}
				/>
				<Box paddingTop={size.rows < 14 ? 0 : 1}>
					<Text {...theme.secondary}>{wrapText(isChecking ? 'Checking the key…' : storageText, layout.width).join('\n')}</Text>
				</Box>
			</Box>
			<HintLine
				width={size.columns}
				hints={isChecking
					? [{key: 'esc', label: 'cancel'}]
					: [{key: 'enter', label: field === 'address' ? 'next' : 'connect'}, {key: 'tab', label: 'next field'}, {key: 'esc', label: 'back'}]}
			/>
		</Box>
	);
};
