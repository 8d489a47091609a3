import {
	useEffect,
	useRef,
	useState,
	type ReactElement,
} from 'react';
import {Box, Text} from 'ink';
import {isLoopbackHost} from '../../interface/base-address.ts';
import {toSwitchboardError, type SwitchboardError} from '../../interface/errors.ts';
import {useAppState, useUiServices} from '../app-context.ts';
import {layers, useKeys} from '../keys/use-keys.ts';
import {type ProposedSignIn} from '../state/app-state.ts';
import {theme} from '../theme.ts';
import {HintLine} from '../widgets/hint-line.tsx';
import {TextField} from '../widgets/text-field.tsx';
import {wrapText} from '../widgets/wrap.ts';

const fields = ['address', 'key', 'name'] as const;

type Field = typeof fields[number];

const labelWidth = 11;

const storedText = 'The key is stored in a file that only you can read, once the service has taken it.';

const fieldOf = ({kind, field}: SwitchboardError): Field => field === 'profile' ? 'name' : (['key-refused', 'forbidden', 'no-key'].includes(kind) ? 'key' : 'address');

/** Where a key comes from: a service on this machine is most likely our own. */
const keyNeededText = (address: string): string => URL.canParse(address) && isLoopbackHost(new URL(address).hostname)
	? 'The key is needed. Make one with: switchboard keys create'
	: 'The key is needed. Get one in the dashboard under Settings, API Keys.';

/**
Connects to a service: address and key, both checked against the service before they are stored under a name.

@param isKeyMissing - true where the address is known to be right: the cursor is on the key.
@param baseAddress - offered, and taken where no other is typed. It is not in the field: whoever types another address
would have it appended, and the key would be sent to a host of that name.
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

	// Other profiles are looked up for it.
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
				setFailure({field: fieldOf(error), text: [error.message, error.nextStep].filter(Boolean).join(' ')});
				setField(fieldOf(error));
			}
		} finally {
			setChecking(false);
		}
	};

	/** What was said of the one before is not said of another. */
	const edit = (set: (text: string) => void) => (text: string): void => {
		set(text);
		setFailure(undefined);
	};

	const editAddress = edit(text => {
		setAddress(text);
		setProposedName(ui.proposedProfileName(text.trim() === '' ? baseAddress : text.trim()) ?? '');
	});

	const step = (by: 1 | -1): void => {
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

	useKeys(layers.overlay, {
		onKey(key) {
			if (isChecking) {
				if (key.name === 'escape') {
					check.current?.abort();
				}

				return true;
			}

			switch (key.name) {
				case 'escape': {
					ui.store.dispatch({type: 'close'});
					break;
				}

				case 'enter': {
					enter();
					break;
				}

				case 'tab':
				case 'down': {
					step(1);
					break;
				}

				case 'shift+tab':
				case 'up': {
					step(-1);
					break;
				}

				default: {
					break;
				}
			}

			return true;
		},
	});

	const focused = isChecking ? undefined : field;
	const place = {labelWidth, width: size.columns - 2};
	const complaintOf = (name: Field): string | undefined => failure?.field === name ? failure.text : undefined;
	return (
		<Box flexDirection='column' height={size.rows}>
			<Text {...theme.title} wrap='truncate-end'> Connect to a service</Text>
			<Box flexDirection='column' flexGrow={1} paddingX={1} paddingTop={size.rows < 14 ? 0 : 1} overflow='hidden'>
				<TextField label='Address' {...place} value={address} isFocused={focused === 'address'} placeholder={baseAddress} problem={complaintOf('address')} onChange={editAddress}/>
				<TextField label='API key' {...place} value={apiKey} isFocused={focused === 'key'} mask='*' problem={complaintOf('key')} onChange={edit(setApiKey)}/>
				<TextField
					label='Name'
					{...place}
					value={profileName}
					isFocused={focused === 'name'}
					placeholder={proposedName}
					problem={complaintOf('name')}
					onChange={edit(setProfileName)}
				/>
				<Box paddingTop={size.rows < 14 ? 0 : 1}>
					<Text {...theme.secondary}>{wrapText(isChecking ? 'Asking the service…' : storedText, place.width).join('\n')}</Text>
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
