/** Many times what an event of ours has. */
const maximumLength = 16 * 1024;

type ServerEvent = {readonly type: string; readonly data: string};

/**
Reads server-sent events (HTML Living Standard, section 9.2.6) from pieces of text.

@returns a function that takes the next piece; it returns false if a line or an event is too long.
*/
export const createEventParser = (onEvent: (event: ServerEvent) => void): ((text: string) => boolean) => {
	let rest = '';
	let isAfterReturn = false;
	let type = '';
	let data: string | undefined;

	const takeField = (line: string): void => {
		const [, name = '', value = ''] = /^(?<name>[^:]*)(?:: ?(?<value>.*))?$/s.exec(line) ?? [];
		if (name === 'event') {
			type = value;
		} else if (name === 'data') {
			data = data === undefined ? value : `${data}\n${value}`;
		}
	};

	const endEvent = (): void => {
		if (data !== undefined) {
			onEvent({type: type === '' ? 'message' : type, data});
		}

		type = '';
		data = undefined;
	};

	return text => {
		// A line may end with both, and the piece between them.
		const next = isAfterReturn && text.startsWith('\n') ? text.slice(1) : text;
		isAfterReturn = text === '' ? isAfterReturn : text.endsWith('\r');
		const lines = (rest + next).split(/\r\n|\r|\n/);
		rest = lines.pop()!;
		for (const line of lines) {
			if (line.length > maximumLength) {
				return false;
			}

			if (line === '') {
				endEvent();
			} else {
				takeField(line);
			}

			if ((data?.length ?? 0) > maximumLength) {
				return false;
			}
		}

		return rest.length <= maximumLength;
	};
};
