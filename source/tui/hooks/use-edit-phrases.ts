import {counted} from '../../interface/format-count.ts';
import {type InstalledAbility} from '../../interface/records.ts';
import {saveChecked, type CheckedSave} from './checked-save.ts';
import {useServiceSession, type ServiceSession} from './service-session.ts';

type SeenPhrases = Pick<InstalledAbility, 'id' | 'name' | 'triggerPhrases'>;

type EditPhrases = {
	/**
	Replaces the trigger phrases of an installed ability, unless somebody else changed them since they were `seen`.

	@throws SwitchboardError `conflict` if somebody else changed them; the list shows them as they are now.
	*/
	savePhrases(seen: SeenPhrases, phrases: readonly string[]): Promise<void>;
};

/** Switching also sends the phrases, and saving phrases also sends the state: so one waits for the other. */
const whenSwitched = async ({toggles}: ServiceSession, id: number): Promise<void> => {
	const {promise, resolve} = Promise.withResolvers<void>();
	const look = (): void => {
		if (!toggles.getIntents().has(id)) {
			resolve();
		}
	};

	const unsubscribe = toggles.subscribe(look);
	look();
	await promise;
	unsubscribe();
};

const areSame = (first: readonly string[], second: readonly string[]): boolean =>
	first.length === second.length && first.every((phrase, index) => phrase === second[index]);

/** A longer list would take a message more than its line. */
const maximumListLength = 40;

/** Such as “the trigger phrases lamps please, it is dark”, or how many there are. */
export const phraseListText = (phrases: readonly string[]): string => {
	const list = phrases.join(', ');
	return phrases.length === 0 ? 'no trigger phrases' : (list.length > maximumListLength ? counted(phrases.length, 'trigger phrase') : `the trigger phrases ${list}`);
};

const saveOf = (session: ServiceSession, seen: SeenPhrases, phrases: readonly string[]): CheckedSave<'installed'> => {
	const {id, name} = seen;
	const what = `the trigger phrases of ${name}`;
	return {
		resource: 'installed',
		id,
		name,
		what,
		shownBy: ['installed', 'abilities'],
		whenReady: async () => whenSwitched(session, id),
		isSaved: ({triggerPhrases}) => areSame(triggerPhrases, phrases),
		findConflict: ({triggerPhrases}) => areSame(triggerPhrases, seen.triggerPhrases)
			? undefined
			: {field: 'trigger_words', message: `Somebody else changed ${what} in the meantime. They are now: ${triggerPhrases.length === 0 ? 'none' : triggerPhrases.join(', ')}.`},
		send: async record => session.client.editPhrases(record, phrases),
		reverse: (before, after) => ({
			save: saveOf(session, after, before.triggerPhrases),
			undoneText: `${name} has ${phraseListText(before.triggerPhrases)} again.`,
		}),
	};
};

/** The write behind editing trigger phrases. */
export const useEditPhrases = (): EditPhrases => {
	const session = useServiceSession();
	return {
		async savePhrases(seen, phrases) {
			await saveChecked(session, saveOf(session, seen, phrases));
		},
	};
};
