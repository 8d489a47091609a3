import {cleanText} from '../interface/clean-text.ts';

/** What is logged at the end of a session or a command. Never what was typed or shown. */
export type EndedSession = {
	readonly fingerprint: string;
	/** Whose key it is, or the user name given. */
	readonly person: string;
	readonly address: string;
	/** `shell`, or what the command is called. */
	readonly what: string;
	readonly durationMilliseconds: number;
	readonly exitCode: number;
};

export type RefusedLogIn = {
	readonly address: string;
	readonly user: string;
	readonly reason: string;
	readonly fingerprint?: string | undefined;
};

export type SshLog = {
	readonly ended: (session: EndedSession) => void;
	/** In a flood the rest are only counted. */
	readonly refused: (logIn: RefusedLogIn) => void;
	readonly note: (text: string) => void;
};

const windowMilliseconds = 60_000;

const refusalsPerWindow = 30;

const quoted = (text: string): string => `“${cleanText(text, 60)}”`;

/** One line for each event, which begins with its time. */
export const createSshLog = (write: (line: string) => void, now = () => new Date()): SshLog => {
	let windowStart = 0;
	let refusals = 0;
	const note = (text: string): void => {
		write(`${now().toISOString()} ${cleanText(text, 1000)}`);
	};

	return {
		note,
		ended({fingerprint, person, address, what, durationMilliseconds, exitCode}) {
			note(`${fingerprint} ${quoted(person)} from ${address}: ${what}, ${(durationMilliseconds / 1000).toFixed(1)} s, exit code ${exitCode}`);
		},
		refused({address, user, reason, fingerprint}) {
			const time = now().getTime();
			if (time - windowStart >= windowMilliseconds) {
				if (refusals > refusalsPerWindow) {
					note(`${refusals - refusalsPerWindow} more were refused.`);
				}

				windowStart = time;
				refusals = 0;
			}

			refusals++;
			if (refusals <= refusalsPerWindow) {
				note(`refused ${quoted(user)} from ${address}: ${reason}${fingerprint === undefined ? '' : ` ${fingerprint}`}`);
			}
		},
	};
};
