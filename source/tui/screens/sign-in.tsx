import {
	useEffect,
	useRef,
	useState,
	type ReactElement,
} from 'react';
import {Box, Text} from 'ink';
import {toSwitchboardError, type SwitchboardError} from '../../interface/errors.ts';
import {useAppState, useProgram} from '../app-context.ts';
import {layers, useKeys} from '../keys/use-keys.ts';
import {theme} from '../theme.ts';
import {HintLine} from '../widgets/hint-line.tsx';
import {TextField} from '../widgets/text-field.tsx';
import {wrapText} from '../widgets/wrap.ts';

type Field = 'address' | 'key';

const labelWidth = 11;

const storedText = 'The key is stored in a file that only you can read, once the service has taken it.';

const fieldOf = (error: SwitchboardError): Field => ['key-refused', 'forbidden', 'no-key'].includes(error.kind) ? 'key' : 'address';

/**
Connects to a service: address and key, both checked against the service before they are stored.

@param baseAddress - offered, and taken where no other is typed. It is not in the field: whoever types another address
would have it appended, and the key would be sent to a host of that name.
*/
export const SignInScreen = ({baseAddress}: {readonly baseAddress: string}): ReactElement => {
	const program = useProgram();
	const {size} = useAppState();
	const [address, setAddress] = useState('');
	const [apiKey, setApiKey] = useState('');
	const [field, setField] = useState<Field>('address');
	const [failure, setFailure] = useState<{readonly field: Field; readonly text: string} | undefined>(undefined);
	const [isChecking, setChecking] = useState(false);
	const check = useRef<AbortController | undefined>(undefined);
	useEffect(() => () => {
		check.current?.abort();
	}, []);

	const submit = async (): Promise<void> => {
		const controller = new AbortController();
		check.current = controller;
		setChecking(true);
		setFailure(undefined);
		try {
			await program.signIn(address.trim() === '' ? baseAddress : address, apiKey.trim(), controller.signal);
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

	const enter = (): void => {
		if (field === 'address') {
			setField('key');
		} else if (apiKey.trim() === '') {
			setFailure({field: 'key', text: 'The key is needed. Get one in the dashboard under Settings, API Keys.'});
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
					program.store.dispatch({type: 'close'});
					break;
				}

				case 'enter': {
					enter();
					break;
				}

				case 'tab':
				case 'shift+tab':
				case 'up':
				case 'down': {
					setField(field === 'address' ? 'key' : 'address');
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
				<TextField label='Address' {...place} value={address} isFocused={focused === 'address'} placeholder={baseAddress} complaint={complaintOf('address')} onChange={edit(setAddress)}/>
				<TextField label='API key' {...place} value={apiKey} isFocused={focused === 'key'} mask='*' complaint={complaintOf('key')} onChange={edit(setApiKey)}/>
				<Box paddingTop={size.rows < 14 ? 0 : 1}>
					<Text {...theme.secondary}>{wrapText(isChecking ? 'Asking the service…' : storedText, place.width).join('\n')}</Text>
				</Box>
			</Box>
			<HintLine
				width={size.columns}
				hints={isChecking
					? [{key: 'esc', label: 'cancel'}]
					: [{key: 'enter', label: field === 'address' ? 'next' : 'connect'}, {key: 'tab', label: 'other field'}, {key: 'esc', label: 'back'}]}
			/>
		</Box>
	);
};
