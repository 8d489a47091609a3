import {type ReactElement, useEffect, useMemo} from 'react';
import {completeBaseAddress, isLoopbackHost} from '../../interface/base-address.ts';
import {errorText, type SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {isSessionToken} from '../../interface/session-token.ts';
import {readApiKey, sessionTokenQuestion} from '../../settings/profile.ts';
import {useUiServices} from '../app-context.ts';
import type {ProposedSignIn} from '../state/app-state.ts';
import {askQuestion} from './confirm.tsx';
import {Form, useForm} from './form.tsx';

type Field = 'address' | 'key' | 'name';

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
	const form = useForm<Field>(isKeyMissing ? 'key' : 'address');
	useEffect(() => () => form.get().busy?.cancel(), [form.get]);
	const {address = '', key = '', name = ''} = form.texts;
	const completed = completeBaseAddress(address);
	const chosenAddress = completed || baseAddress;
	// Looks through the other profiles, so it is not done for every frame.
	const proposedName = useMemo(() => ui.profiles.proposedName(chosenAddress) ?? '', [ui, chosenAddress]);

	const connect = (apiKey: string): void =>
		void form.run(
			'Checking the key…',
			async signal => ui.profiles.signIn({baseAddress: chosenAddress, apiKey, name: name.trim()}, signal),
			(error, {aborted: isCancelled}) => {
				if (!isCancelled) {
					form.refuse(errorText(error), fieldOf(error));
				}
			},
		);

	/** Adds a missing scheme, which is shown before the address is used. */
	const complete = (): void => {
		if (completed !== address) {
			form.edit({address: completed});
		}
	};

	/** Connects with the key in the field; asks first if it is a session token. */
	const save = (): void => {
		if (completed !== address) {
			complete();
			form.focusOn('key');
			return;
		}

		try {
			const apiKey = readApiKey(key, 'the field', sentence => ui.say('info', sentence));
			if (apiKey === undefined) {
				form.refuse(keyNeededText(chosenAddress), 'key');
			} else if (isSessionToken(apiKey)) {
				askQuestion(ui, {question: sessionTokenQuestion, details: [], yes: 'use it', onYes: () => connect(apiKey)});
			} else {
				connect(apiKey);
			}
		} catch (error) {
			form.refuse(errorText(toSwitchboardError(error)), 'key');
		}
	};

	return (
		<Form
			title="Connect to a service"
			form={form}
			fields={[
				{name: 'address', label: 'Address', placeholder: baseAddress},
				{name: 'key', label: 'API key', mask: '*'},
				{name: 'name', label: 'Name', placeholder: proposedName},
			]}
			note={{text: storageText, isProblem: false}}
			saveLabel="connect"
			enterSavesFrom="key"
			question="Leave without connecting?"
			onMove={complete}
			onSave={save}
			onBusyEscape={{label: 'cancel', act: () => form.busy?.cancel()}}
		/>
	);
}
