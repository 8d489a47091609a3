import {type ReactElement, useEffect, useMemo, useRef, useState} from 'react';
import {completeBaseAddress, isLoopbackHost} from '../../interface/base-address.ts';
import {errorText, type SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {isSessionToken} from '../../interface/session-token.ts';
import {readApiKey, sessionTokenQuestion} from '../../settings/profile.ts';
import {useAppState, useUiServices} from '../app-context.ts';
import {layers, useKeys} from '../keys/dispatcher.ts';
import type {ProposedSignIn} from '../state/app-state.ts';
import {TextField} from '../widgets/text-field.tsx';
import {askQuestion} from './confirm.tsx';
import {FormFrame} from './name-form.tsx';

const fields = ['address', 'key', 'name'] as const;

type Field = (typeof fields)[number];

const labels: Readonly<Record<Field, string>> = {address: 'Address', key: 'API key', name: 'Name'};

const labelWidth = 11;

const storageText = 'Once the service accepts the key, it is stored in a file that only you can read.';

const fieldOf = ({kind, field}: SwitchboardError): Field =>
	field === 'profile' ? 'name' : ['key-refused', 'forbidden', 'no-key'].includes(kind) ? 'key' : 'address';

/** Where to get a key: a service on this machine is most likely the bundled one. */
const keyNeededText = (address: string): string =>
	URL.canParse(address) && isLoopbackHost(new URL(address).hostname)
		? 'Enter a key. Create one with: switchboard keys create'
		: 'Enter a key. Get one in the dashboard under Settings, API Keys.';

/**
Connects to a service: checks address and key against the service, then stores them under a name.

@param isKeyMissing - true if the address is certainly right: the cursor starts on the key.
@param baseAddress - the default. It is not text in the field: an address typed after it would be appended, and the key would be sent to the
host with that name.
*/
export function SignInScreen({baseAddress, isKeyMissing = false}: ProposedSignIn): ReactElement {
	const ui = useUiServices();
	const {columns} = useAppState().size;
	const [values, setValues] = useState<Readonly<Record<Field, string>>>({address: '', key: '', name: ''});
	const [field, setField] = useState<Field>(isKeyMissing ? 'key' : 'address');
	const [failure, setFailure] = useState<{readonly field: Field; readonly text: string} | undefined>(undefined);
	const [isChecking, setChecking] = useState(false);
	const check = useRef<AbortController | undefined>(undefined);
	useEffect(
		() => () => {
			check.current?.abort();
		},
		[],
	);

	const chosenAddress = completeBaseAddress(values.address) || baseAddress;
	// Looks through the other profiles, so it is not done for every frame.
	const proposedName = useMemo(() => ui.profiles.proposedName(chosenAddress) ?? '', [ui, chosenAddress]);

	const submit = async (apiKey: string): Promise<void> => {
		const controller = new AbortController();
		check.current = controller;
		setChecking(true);
		setFailure(undefined);
		try {
			await ui.profiles.signIn({baseAddress: chosenAddress, apiKey, name: values.name.trim()}, controller.signal);
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

	/** Connects with the key in the field; asks first if it is a session token. */
	const useKey = (): void => {
		try {
			const apiKey = readApiKey(values.key, 'the field', sentence => ui.say('info', sentence));
			if (apiKey === undefined) {
				setField('key');
				setFailure({field: 'key', text: keyNeededText(chosenAddress)});
			} else if (isSessionToken(apiKey)) {
				askQuestion(ui, {
					question: sessionTokenQuestion,
					details: [],
					yes: 'use it',
					onYes() {
						void submit(apiKey);
					},
				});
			} else {
				void submit(apiKey);
			}
		} catch (error) {
			setField('key');
			setFailure({field: 'key', text: errorText(toSwitchboardError(error))});
		}
	};

	/** A missing scheme is completed and shown before the address is used: only the other fields connect. */
	const goTo = (next: Field): void => {
		setField(next);
		setValues(before => ({...before, address: completeBaseAddress(before.address)}));
	};

	const step = (by: 1 | -1) => (): void => goTo(fields[(fields.indexOf(field) + by + fields.length) % fields.length]!);

	const enter = (): void => {
		if (field === 'address') {
			goTo('key');
		} else {
			useKey();
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

	const placeholders: Readonly<Record<Field, string>> = {address: baseAddress, key: '', name: proposedName};
	return (
		<FormFrame
			title="Connect to a service"
			hints={
				isChecking
					? [{key: 'esc', label: 'cancel'}]
					: [
							{key: 'enter', label: field === 'address' ? 'next' : 'connect'},
							{key: 'tab', label: 'next field'},
							{key: 'esc', label: 'back'},
						]
			}
			note={isChecking ? 'Checking the key…' : storageText}
		>
			{fields.map(name => (
				<TextField
					key={name}
					label={labels[name]}
					labelWidth={labelWidth}
					width={columns - 2}
					value={values[name]}
					isFocused={!isChecking && field === name}
					{...(name === 'key' ? {mask: '*'} : {placeholder: placeholders[name]})}
					problem={failure?.field === name ? failure.text : undefined}
					onChange={text => {
						setValues(before => ({...before, [name]: text}));
						setFailure(undefined);
					}}
				/>
			))}
		</FormFrame>
	);
}
