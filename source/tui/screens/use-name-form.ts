import {useRef, useState} from 'react';
import {errorText, toSwitchboardError} from '../../interface/errors.ts';

export type NameFormState = {
	readonly typed: string;
	/** What is wrong with the name, as a sentence. */
	readonly problem: string | undefined;
	isSaving(): boolean;
	change(typed: string): void;
	refuse(problem: string): void;
	/** Runs what saves the name, unless that runs already. The reason of an error is shown below the name, which stays. */
	save(action: () => Promise<void>): Promise<void>;
};

/** A name that is typed and then saved. */
export const useNameForm = (initial: string): NameFormState => {
	const [typed, setTyped] = useState(initial);
	const [problem, setProblem] = useState<string | undefined>(undefined);
	const isSaving = useRef(false);
	return {
		typed,
		problem,
		isSaving: () => isSaving.current,
		change(value) {
			setTyped(value);
			setProblem(undefined);
		},
		refuse: setProblem,
		async save(action) {
			if (isSaving.current) {
				return;
			}

			isSaving.current = true;
			try {
				await action();
			} catch (error) {
				setProblem(errorText(toSwitchboardError(error)));
			} finally {
				isSaving.current = false;
			}
		},
	};
};
