import type {Context} from './context.ts';

/**
Makes a write. Where the command is ended before there is an answer, the person is told what is then not known: the write
may have been carried out all the same.

@param tell - what is not known, as a sentence, at the time when the command is ended; nothing where all is known.
*/
export const tellWhatIsUnknown = async <T>({signal, note}: Context, tell: () => string | undefined, write: () => Promise<T>): Promise<T> => {
	const tellNow = (): void => {
		const sentence = tell();
		if (sentence !== undefined) {
			note(sentence);
		}
	};

	signal.addEventListener('abort', tellNow, {once: true});
	try {
		return await write();
	} finally {
		signal.removeEventListener('abort', tellNow);
	}
};
