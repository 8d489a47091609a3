import {SwitchboardError, type ErrorKind} from '../interface/errors.ts';
import {type RemoteSession} from './remote-session.ts';
import {type StoredProfiles} from './profile.ts';
import {resolveTarget, type RemoteTarget} from './target.ts';

/** What is wrong with a profile, in words for somebody to whom the settings do not belong. */
const problems: Readonly<Partial<Record<ErrorKind, string>>> = {
	'not-found': 'does not exist here',
	'no-key': 'has no API key',
	insecure: 'is for a service over plain http',
};

/** The kinds of a profile that is gone: of anything else, such as settings that cannot be read now, nobody knows whether it lasts. */
const goneKinds: ReadonlySet<ErrorKind> = new Set(['not-found', 'no-key', 'insecure', 'usage']);

/**
The service of somebody who came over SSH: that of their profile alone, whatever the environment of this process says.

@throws SwitchboardError if the profile cannot be used. It names neither another profile nor a file of this machine.
*/
export const resolveSessionTarget = ({profileName}: Pick<RemoteSession, 'profileName'>, readSettings: () => StoredProfiles): RemoteTarget => {
	const refusal = (kind: ErrorKind, cause?: unknown): SwitchboardError =>
		new SwitchboardError(kind, `The profile “${profileName}” ${problems[kind] ?? 'cannot be used'}.`, {nextStep: 'Tell whoever runs this server.', cause});
	try {
		const target = resolveTarget({
			settings: readSettings(), env: {}, profile: profileName, isInsecureHttpAllowed: false, isForUi: false,
		});
		if (target.kind === 'remote') {
			return target;
		}
	} catch (error) {
		throw refusal(error instanceof SwitchboardError ? error.kind : 'unexpected', error);
	}

	throw refusal('usage');
};

/**
What a profile gives those who use it, as a text to compare: the same as long as it leads to the same service with the same key.

@returns `undefined` if it gives nothing any more.
@throws SwitchboardError if the settings cannot be read.
*/
export const describeProfile = (profileName: string, readSettings: () => StoredProfiles): string | undefined => {
	try {
		const {baseAddress, apiKey} = resolveSessionTarget({profileName}, readSettings);
		return `${baseAddress} ${apiKey}`;
	} catch (error) {
		if (error instanceof SwitchboardError && goneKinds.has(error.kind)) {
			return undefined;
		}

		throw error;
	}
};
