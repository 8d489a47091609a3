import process from 'node:process';

type StatusLine = {
	/** Shows a text in place of the last one. */
	readonly show: (text: string) => void;
	readonly clear: () => void;
};

/** A line of progress on standard error, if that is a terminal. */
export const createStatusLine = (): StatusLine => {
	let shown = '';
	const show = (text: string): void => {
		if (!process.stderr.isTTY || text === shown) {
			return;
		}

		process.stderr.write(`\r\u{1B}[K${text}`);
		shown = text;
	};

	return {
		show,
		clear() {
			show('');
		},
	};
};
