import {type UiServices} from '../../app-context.ts';

/** What an action does with the first of several records, and with all of them. */
type Act<Record_> = (first: Record_, all: readonly Record_[]) => void;

/** Runs an action on records, or says that there are none. */
export const actOnRecords = <Record_>({say}: Pick<UiServices, 'say'>, records: readonly Record_[], noneText: string, act: Act<Record_>): void => {
	const [first] = records;
	if (first === undefined) {
		say('info', noneText);
	} else {
		act(first, records);
	}
};
