import {goneText} from '../../../interface/lists.ts';
import {type Records, type Resource} from '../../../interface/records.ts';
import {type UiServices} from '../../app-context.ts';
import {newestOf} from '../../hooks/seen-records.ts';
import {type ServiceSession} from '../../hooks/service-session.ts';
import {type Question} from '../../state/overlays.ts';
import {ask} from '../ask.ts';

type AskOptions<R extends Resource> = {
	readonly resource: R;
	readonly records: ReadonlyArray<Records[R]>;
	/** The question about those that are there; there is at least one. */
	questionOf(there: ReadonlyArray<Records[R]>): Omit<Question, 'onYes'>;
	onYes(there: ReadonlyArray<Records[R]>): void;
};

/**
Asks about records, as the lists have them: while it is asked, the question follows them.

@returns a function that puts the question anew, for what no list shows.
*/
export const askAboutRecords = <R extends Resource>(ui: UiServices, session: ServiceSession, {resource, records, questionOf, onYes}: AskOptions<R>): (() => void) => {
	const read = (): Question => {
		const {there, gone} = newestOf(session, resource, records);
		const goneLines = gone.map(({name}) => goneText(resource, name));
		const {details, ...question} = questionOf(there.length === 0 ? records : there);
		return {
			...question,
			details: there.length === 0 ? goneLines : [...details, ...goneLines],
			onYes() {
				if (there.length === 0) {
					ui.say('info', goneLines.join(' '));
				} else {
					onYes(there);
				}
			},
		};
	};

	const amend = ask(ui, read());
	const follow = (): void => {
		if (!amend(read())) {
			unsubscribe();
		}
	};

	const unsubscribe = session.queryClient.getQueryCache().subscribe(event => {
		if (event.type === 'updated' && event.action.type === 'success') {
			follow();
		}
	});
	return follow;
};
