import {hasValues} from '../../changes/fields.ts';
import {reasonOf} from '../../interface/errors.ts';
import {stateWord} from '../../interface/installed-lookup.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../interface/json.ts';
import {cleanName, decodeId} from '../../interface/records.ts';
import {abilityCountText, phraseListText, phrasesText, stepOf} from './saves.ts';
import type {MemoryKey, ServiceSession} from './service-session.ts';
import type {SwitchChange} from './switching.ts';

/*
Undoing what an earlier session did, from its steps as data, which anything may have written: a step that is not understood is dropped.
Services give ids to other records, so a record must have its name as well.
*/

/** A step as it can be undone now. */
type Prepared = {
	/** What it would put back, such as “nightwatch on, pantry off”; empty if nothing is left of it. */
	readonly subject: string;
	/** Who changed it since, and what is gone, in sentences. */
	readonly notes: readonly string[];
	undo(): void;
};

type Named = {readonly id: number; readonly name: string};

const toNamed = (value: JsonValue | undefined): Named | undefined => {
	const {id, name} = isJsonObject(value) ? value : {};
	const decoded = typeof id === 'number' ? decodeId(id) : undefined;
	return decoded !== undefined && typeof name === 'string' && cleanName(name) === name ? {id: decoded, name} : undefined;
};

const toStrings = (value: JsonValue | undefined): readonly string[] | undefined =>
	Array.isArray(value) && value.every(text => typeof text === 'string') ? value : undefined;

const toList = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? (value as readonly JsonValue[]) : []);

const find = <Record_ extends Named>(records: readonly Record_[] | undefined, {id, name}: Named): Record_ | undefined =>
	records?.find(record => record.id === id && record.name === name);

const goneNote = ({name}: Named): string => `There is no ${name} with that id any more.`;

const nothing = (...notes: readonly string[]): Prepared => ({
	subject: '',
	notes,
	undo() {
		/* Nothing is left to undo. */
	},
});

/** More would not be read. */
const maximumNames = 5;

const listed = (texts: readonly string[]): string =>
	texts.length <= maximumNames ? texts.join(', ') : `${texts.slice(0, maximumNames).join(', ')} and ${texts.length - maximumNames} more`;

const toChange = (value: JsonValue): SwitchChange | undefined => {
	const named = toNamed(value);
	const {wasEnabled, isEnabled} = isJsonObject(value) ? value : {};
	return named !== undefined && typeof wasEnabled === 'boolean' && typeof isEnabled === 'boolean'
		? {...named, wasEnabled, isEnabled}
		: undefined;
};

const prepareSwitch = async (session: ServiceSession, step: JsonObject): Promise<Prepared> => {
	await session.records.readAgain('installed');
	const changes = toList(step['changes'])
		.map(value => toChange(value))
		.filter(change => change !== undefined);
	const records = new Map(changes.map(change => [change, find(session.records.seen('installed'), change)]));
	const gone = changes.filter(change => records.get(change) === undefined);
	const back = changes.filter(change => !gone.includes(change) && records.get(change)!.isEnabled !== change.wasEnabled);
	const already = changes.filter(change => records.get(change)?.isEnabled === change.wasEnabled);
	const unclear = back.filter(change => records.get(change)!.isEnabled === undefined);
	return {
		subject: listed(back.map(({name, wasEnabled}) => `${name} ${stateWord(wasEnabled)}`)),
		notes: [
			...(already.length === 0
				? []
				: [`Changed elsewhere since: ${listed(already.map(({name, wasEnabled}) => `${name} is ${stateWord(wasEnabled)} already`))}.`]),
			...(unclear.length === 0 ? [] : [`This service does not show the state of ${listed(unclear.map(({name}) => name))}.`]),
			...gone.slice(0, maximumNames).map(change => goneNote(change)),
		],
		undo() {
			session.changes.switching.undoEarlier(back);
		},
	};
};

const preparePhrases = async (session: ServiceSession, step: JsonObject): Promise<Prepared> => {
	const [named, from, to] = [toNamed(step), toStrings(step['from']), toStrings(step['to'])];
	if (named === undefined || from === undefined || to === undefined) {
		return nothing();
	}

	await session.records.readAgain('installed');
	const now = find(session.records.seen('installed'), named);
	if (now === undefined) {
		return nothing(goneNote(named));
	}

	const has = (phrases: readonly string[]): boolean => JSON.stringify(now.triggerPhrases) === JSON.stringify(phrases);
	const isChanged = !has(to);
	return {
		subject: has(from) ? '' : `${phraseListText(from)} for ${now.name}`,
		notes: isChanged ? [`${now.name} was changed elsewhere since: it ${phrasesText(now.triggerPhrases)}.`] : [],
		undo() {
			session.changes.undoHistory.undoEarlier({
				...stepOf(session, {resource: 'installed', seen: now, values: {triggers: from}}),
				kept: step,
			});
		},
	};
};

const toAgentChanges = (value: JsonValue | undefined) => {
	const {name, prompt, abilityIds} = isJsonObject(value) ? value : {};
	const ids = Array.isArray(abilityIds)
		? toList(abilityIds)
				.map(id => decodeId(id))
				.filter(id => id !== undefined)
		: undefined;
	return {...(typeof name === 'string' && {name}), ...(typeof prompt === 'string' && {prompt}), ...(ids !== undefined && {abilities: ids})};
};

const prepareAgent = async (session: ServiceSession, step: JsonObject): Promise<Prepared> => {
	const named = toNamed(step);
	const [from, to] = [toAgentChanges(step['from']), toAgentChanges(step['to'])];
	if (named === undefined || Object.keys(from).length === 0) {
		return nothing();
	}

	await Promise.all([
		session.records.readAgain('agents'),
		...(from.abilities === undefined ? [] : [session.records.readAgain('abilities')]),
	]);
	const now = find(session.records.seen('agents'), named);
	if (now === undefined) {
		return nothing(goneNote(named));
	}

	const names = new Map(
		toList(step['abilities'])
			.map(entry => toList(entry))
			.map(([id, name]) => [id, name]),
	);
	const abilities = new Map(session.records.seen('abilities')?.map(({id, name}) => [id, name]));
	const abilityIds = from.abilities?.filter(id => abilities.has(id) && abilities.get(id) === names.get(id));
	const former = {...from, ...(abilityIds !== undefined && {abilities: abilityIds})};
	const lostCount = (from.abilities?.length ?? 0) - (abilityIds?.length ?? 0);
	const subject = [
		...(former.name === undefined ? [] : [`the name ${cleanName(former.name)} for ${now.name}`]),
		...(former.prompt === undefined ? [] : [`the previous prompt of ${now.name}`]),
		...(abilityIds === undefined ? [] : [`${abilityCountText(abilityIds.length)} of ${now.name}`]),
	].join(', ');
	return {
		subject: hasValues('agents', now, former) ? '' : subject,
		notes: [
			...(hasValues('agents', now, to) === false ? [`${now.name} was changed elsewhere since.`] : []),
			...(lostCount > 0 ? [`${abilityCountText(lostCount)} of then ${lostCount === 1 ? 'is' : 'are'} gone.`] : []),
		],
		undo() {
			session.changes.undoHistory.undoEarlier({...stepOf(session, {resource: 'agents', seen: now, values: former}), kept: step});
		},
	};
};

const preparations: ReadonlyMap<unknown, (session: ServiceSession, step: JsonObject) => Promise<Prepared>> = new Map([
	['switch', prepareSwitch],
	['phrases', preparePhrases],
	['agent', prepareAgent],
]);

const asking: MemoryKey<{isAsking: boolean}> = {create: () => ({isAsking: false})};

const askAbout = async (session: ServiceSession, step: JsonObject): Promise<void> => {
	const {
		changes: {
			earlier,
			undoHistory: {say},
		},
	} = session;
	say('info', 'Reading what the last session changed…');
	try {
		const {subject, notes, undo} = (await preparations.get(step['kind'])?.(session, step)) ?? nothing();
		if (subject === '') {
			earlier.drop(step);
			say('info', ['Nothing is left to put back of a change of the last session.', ...notes].join(' '));
		} else if (
			await session.changes.confirm({
				question: `Put back: ${subject}?`,
				details: ['It was changed before this session began.', ...notes],
				yes: 'put back',
			})
		) {
			earlier.drop(step);
			undo();
		} else {
			say('info', 'Nothing was put back.');
		}
	} catch (error) {
		say('error', `Not undone: ${reasonOf(error)}`);
	}
};

/** Asks about the newest step that an earlier session left, and undoes it. Returns false if there is none. */
export const undoEarlier = (session: ServiceSession): boolean => {
	const step = session.changes.earlier.steps().at(-1);
	const state = session.memory.get(asking);
	if (step !== undefined && !state.isAsking) {
		state.isAsking = true;
		void (async () => {
			await askAbout(session, step);
			state.isAsking = false;
		})();
	}

	return step !== undefined;
};
