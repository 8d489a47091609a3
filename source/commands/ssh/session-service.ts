import {SwitchboardError, type ErrorKind} from '../../interface/errors.ts';
import type {TargetFindings} from '../../settings/target.ts';
import type {SessionAccess} from '../context.ts';

/** Errors that only the server's operator can put right. */
const serverKinds: ReadonlySet<ErrorKind> = new Set(['no-key', 'key-refused', 'insecure', 'unreachable', 'unintelligible']);

/** The error with a next step for someone who came over SSH, and has neither the key nor the address; any other stays as it is. */
export const explainToSession = (error: unknown): unknown =>
	error instanceof SwitchboardError && serverKinds.has(error.kind)
		? error.with({nextStep: 'If this persists, tell whoever runs this server.'})
		: error;

/** The service and the key of a session, as `status` shows them; where there are none, why. */
export const inspectSession = ({profileName, resolveTarget}: SessionAccess): TargetFindings => {
	const profile = {name: profileName, source: 'ssh'} as const;
	try {
		const target = resolveTarget();
		const {baseAddress} = target;
		return {profile, address: {baseAddress, source: 'profile'}, key: {source: 'profile'}, outcome: target};
	} catch (error) {
		if (!(error instanceof SwitchboardError)) {
			throw error;
		}

		return {profile, outcome: error};
	}
};
