import {type InstalledAbility} from '../../../interface/records.ts';
import {type ServiceSession} from '../../hooks/service-session.ts';
import {type MemoryKey} from '../../hooks/session-memory.ts';
import {createStore, type Store} from '../../state/store.ts';

/** Trigger phrases that a person is typing for an installed ability, and the outcome of saving them. */
type PhraseForm = {
	/** The phrases, separated by commas; `undefined` until something is typed. */
	readonly typed: string | undefined;
	readonly isSaving: boolean;
	readonly refusal: string | undefined;
	/** The record as it was when the person began to type; `undefined` before. After a conflict it is the one that was reported. */
	readonly seen: InstalledAbility | undefined;
};

type PhraseFormStore = Store<PhraseForm, Partial<PhraseForm>>;

const formsByInstalled: MemoryKey<Map<number, PhraseFormStore>> = {create: () => new Map()};

/** The form for an installed ability. It outlives a question on top of it. */
export const phraseFormOf = (session: ServiceSession, id: number): PhraseFormStore => {
	const known = session.memory.get(formsByInstalled);
	const found = known.get(id) ?? createStore<PhraseForm, Partial<PhraseForm>>((form, change) => ({...form, ...change}), {
		typed: undefined, isSaving: false, refusal: undefined, seen: undefined,
	});
	known.set(id, found);
	return found;
};

/** Drops a form: the next one starts with the current phrases. */
export const forgetPhraseForm = (session: ServiceSession, id: number): void => {
	session.memory.get(formsByInstalled).delete(id);
};
