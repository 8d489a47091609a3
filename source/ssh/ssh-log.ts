import {cleanText} from '../interface/clean-text.ts';

const refusalsPerWindow = 30;

/**
As JSON, with every character escaped that could be taken for a quotation mark: `--ascii` and some viewers replace curly ones with it.
*/
const inJson = (value: unknown): string =>
	JSON.stringify(value).replaceAll(/[^\p{Letter}\p{Mark}\p{Number} -~]+/gu, run =>
		run
			.split('')
			.map(unit => String.raw`\u${unit.codePointAt(0)!.toString(16).padStart(4, '0')}`)
			.join(''),
	);

/** A text that somebody else chose, such as a stranger's user name: it cannot end the quotation, and so cannot forge a line. */
const quoted = (text: string): string => inJson(cleanText(text, 60));

export type SshLogFormat = 'text' | 'json';

type EndedSession = {
	readonly fingerprint: string;
	/** The comment of the key, or the user name. */
	readonly person: string;
	readonly address: string;
	/** `shell`, or the name of the command. */
	readonly what: string;
	readonly durationMilliseconds: number;
	readonly exitCode: number;
};

type RefusedLogIn = {readonly address: string; readonly user: string; readonly reason: string; readonly fingerprint?: string | undefined};

/** Creates a log with a line and a time for each event. */
export function createSshLog(write: (line: string) => void, format: SshLogFormat = 'text', now = () => new Date()) {
	let windowStart = 0;
	let refusals = 0;
	const put = (text: string, entry: Readonly<Record<string, unknown>>): void => {
		const time = now().toISOString();
		write(format === 'json' ? inJson({time, ...entry}) : `${time} ${cleanText(text, 1000)}`);
	};

	const note = (text: string): void => put(text, {message: cleanText(text, 1000)});

	return {
		note,
		/** The end of a session. Typed or displayed text is never logged. */
		ended({fingerprint, person, address, what, durationMilliseconds, exitCode}: EndedSession): void {
			put(
				`${fingerprint} ${quoted(person)} from ${address}: ${what}, ${(durationMilliseconds / 1000).toFixed(1)} s, exit code ${exitCode}`,
				{
					event: 'ended',
					person: cleanText(person, 60),
					address,
					key: fingerprint,
					command: what,
					ms: Math.round(durationMilliseconds),
					exit_code: exitCode,
				},
			);
		},
		/** In a flood the rest are only counted. */
		refused({address, user, reason, fingerprint}: RefusedLogIn): void {
			const time = now().getTime();
			if (time - windowStart >= 60_000) {
				if (refusals > refusalsPerWindow) {
					note(`${refusals - refusalsPerWindow} more were refused.`);
				}

				windowStart = time;
				refusals = 0;
			}

			refusals++;
			if (refusals <= refusalsPerWindow) {
				put(`refused ${quoted(user)} from ${address}: ${reason}${fingerprint === undefined ? '' : ` ${fingerprint}`}`, {
					event: 'refused',
					person: cleanText(user, 60),
					address,
					key: fingerprint ?? null,
					reason,
				});
			}
		},
	};
}

export type SshLog = ReturnType<typeof createSshLog>;
