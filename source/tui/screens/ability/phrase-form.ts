import {type InstalledAbility} from '../../../interface/records.ts';
import {type ServiceSession} from '../../hooks/service-session.ts';
import {type MemoryKey} from '../../hooks/session-memory.ts';
import {createStore, type Store} from '../../state/store.ts';

/** What a person is typing as the trigger phrases of an installed ability, and what became of it. */
export type PhraseForm = {
	/** The phrases with commas between them; `undefined` until something is typed. */
	readonly typed: string | undefined;
	readonly isSaving: boolean;
	readonly refusal: string | undefined;
	/** The record as it was when the phrases were edited; none after a conflict, when the newest one takes its place. */
	readonly seen: InstalledAbility | undefined;
};

export type PhraseFormStore = Store<PhraseForm, Partial<PhraseForm>>;

const formsByInstalled: MemoryKey<Map<number, PhraseFormStore>> = {create: () => new Map()};

/** The form for an installed ability. It outlives a question that lies on top of it. */
export const phraseFormOf = (session: ServiceSession, id: number, seen: InstalledAbility | undefined): PhraseFormStore => {
	const known = session.memory.get(formsByInstalled);
	const found = known.get(id) ?? createStore<PhraseForm, Partial<PhraseForm>>((form, change) => ({...form, ...change}), {
		typed: undefined, isSaving: false, refusal: undefined, seen,
	});
	known.set(id, found);
	return found;
};

/** Once it is left, or to begin with a new one: the next begins with the phrases as they are then. */
export const forgetPhraseForm = (session: ServiceSession, id: number): void => {
	session.memory.get(formsByInstalled).delete(id);
};
