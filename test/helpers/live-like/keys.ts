import type {RecordedRequest} from '../recorded-requests.ts';
import {readJsonObject} from '../request-bodies.ts';

/** They may be changed while the service runs. */
export type KeyOptions = {
	/** True if the key is answered with 401 for the list of all abilities, uploads, installations and releases: these want a session. */
	readonly isHalf?: boolean;
	/** The token of a session of the dashboard; none is known unless given. */
	readonly sessionToken?: string;
	isSessionOver?: boolean;
	/** The agents that the session sees, if it is one of another account. */
	readonly sessionAgents?: readonly unknown[];
};

const wantsSession = ({path}: RecordedRequest): boolean =>
	/\/(?:get-all-capabilit(?:y|ies)|add-capability|(?:un)?install-capability|validate\/release-code|enable\/release|list\/capability-releases)\//.test(
		path,
	);

/** Tells whether a request may be carried out, by its key or its session. */
export function createKeyCheck(apiKey: string, options: KeyOptions = {}) {
	return (request: RecordedRequest): {readonly isAccepted: boolean; readonly isSession: boolean; readonly refusal: string} => {
		const {isHalf = false, sessionToken, isSessionOver = false} = options;
		const isBodyStyle = request.path.startsWith('/api/sdk/');
		const sent = isBodyStyle ? readJsonObject(request)?.['api_key'] : request.headers['x-api-key'];
		const {authorization} = request.headers;
		if (authorization !== undefined && !isBodyStyle) {
			const isKnown = sessionToken !== undefined && authorization === `Bearer ${sessionToken}` && sent === undefined;
			return isKnown && !isSessionOver
				? {isAccepted: true, isSession: true, refusal: ''}
				: {isAccepted: false, isSession: isKnown, refusal: isKnown ? 'Token is expired' : 'Given token not valid for any token type'};
		}

		return isHalf && wantsSession(request)
			? {isAccepted: false, isSession: false, refusal: 'Authentication credentials were not provided.'}
			: {isAccepted: sent === apiKey, isSession: false, refusal: 'Invalid API key'};
	};
}
