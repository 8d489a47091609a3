import {hasValues} from '../../changes/fields.ts';
import type {Group} from '../../changes/log.ts';
import type {NotedFormer} from '../../changes/recorded-client.ts';
import {installedFlags, lossLines, packageOf, showsPhrases, type Former} from '../../changes/removals.ts';
import type {PlannedBack} from '../../changes/undo.ts';
import {sendChanges} from '../../changes/send-changes.ts';
import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {abilityLookup, installedLookup, stateWord} from '../../interface/installed-lookup.ts';
import {isSameJson} from '../../interface/json.ts';
import {goneText} from '../../interface/lists.ts';
import {rawName, rawPhrases, type Ability, type InstalledAbility, type Named} from '../../interface/records.ts';
import {tieToAgent} from './saves.ts';
import {when} from '../observable.ts';
import {changeList} from './list-cache.ts';
import type {ServiceSession} from './service-session.ts';
import type {ReversibleStep} from './undo-history.ts';
import {sendPacked} from './upload.ts';
import {installation, readListsAgain, runWrite, uninstallation, writeOrLookUp} from './writes.ts';

/* Undoing an installation, an uninstallation and a deletion: after the last two, an ability is rebuilt from its former state. */

/** How far an ability is restored. Steps that a failed undo has done are not done again. */
type Progress = {isBack?: boolean; isInstallationSent?: boolean; isUploadUncertain?: boolean; newId?: number | undefined};

/** An ability that is being restored, with its progress. */
type Returning = {readonly former: NotedFormer; readonly progress: Progress};

/**
Returns the step that restores uninstalled or deleted abilities. If it fails in part, the next undo goes on with the rest. It cannot be
redone, because a removal asks first.

@param names.what - the subject of the undo, such as “the deletion of lamps”.
@param names.redo - says that it cannot be redone.
@param plans - the former state of each ability, and the parts of it that are back; deleted abilities only with a source.
@param how.lostNames - of the abilities that were deleted with them and cannot be restored.
@param how.isAgreed - true once the person knows the losses.
*/
export function bringBackStep(
	session: ServiceSession,
	{what, redo}: Record<'what' | 'redo', string>,
	plans: ReadonlyArray<Partial<PlannedBack> & {readonly former: NotedFormer}>,
	{lostNames = [], isAgreed = false}: {readonly lostNames?: readonly string[]; readonly isAgreed?: boolean},
): ReversibleStep {
	const formers = plans.map(({former}) => former);
	const returnings = plans.map(({former, ability, installed}): Returning => {
		const newId = former.ability === undefined ? undefined : ability?.id;
		return {former, progress: {newId, isInstallationSent: former.ability === undefined && installed !== undefined}};
	});
	const takeBack = async (group: Group) => {
		await Promise.all([session.records.readAgain('abilities'), session.records.readAgain('installed')]);
		const elsewhere: Returning[] = [];
		const outcomes = await sendChanges(
			returnings.filter(({progress}) => !progress.isBack),
			{
				async send(returning) {
					if (!(await bringOneBack(session, returning))) {
						elsewhere.push(returning);
					}

					returning.progress.isBack = true;
				},
			},
		);
		const failed = outcomes.filter(outcome => 'error' in outcome);
		const back = returnings.filter(returning => returning.progress.isBack && !elsewhere.includes(returning));
		const gone = await tieAll(session, back, group);
		session.changes.log.skip([...back, ...elsewhere].flatMap(({former: {key}}) => key ?? []));
		void readListsAgain(session, ['abilities', 'installed', 'agents']);
		const sentences = [
			...(back.length === 0 ? [] : [backText(back)]),
			...elsewhere.map(({former: {name}}) => `${name} is installed again already, and stays as it is.`),
			...gone,
			...back.flatMap(({former}) => notRestored(former, formers.length === 1)),
			...(lostNames.length === 0 ? [] : [`Lost for good: ${lostNames.join(', ')}.`]),
		];
		if (failed.length > 0) {
			const failures = failed.map(({item: {former}, error: {message}}) => (formers.length === 1 ? message : `${former.name}: ${message}`));
			const isOutcomeUnknown = failed.some(({error}) => error.isOutcomeUnknown);
			throw new SwitchboardError(failed[0]!.error.kind, [...failures, ...sentences].join(' '), {isOutcomeUnknown});
		}

		return {text: sentences.join(' '), reverse: {refusal: redo}};
	};

	let isKnown = isAgreed;
	return {
		what,
		async takeBack() {
			isKnown ||= await mayBringBack(session, formers, lostNames);
			if (!isKnown) {
				throw new SwitchboardError('cancelled', 'Nothing was uploaded.');
			}

			return session.changes.log.restoring(async group =>
				runWrite(session, {key: ['bring-back', what], unknown: `It is not known whether this was undone: ${what}.`}, async () =>
					takeBack(group),
				),
			);
		},
	};
}

/** Uploads, installs and switches an ability as it was before. Returns false if somebody else has installed it again. */
async function bringOneBack(session: ServiceSession, returning: Returning): Promise<boolean> {
	const {progress} = returning;
	const {installed, isAbsent, ability: deleted} = returning.former;
	if (deleted !== undefined && progress.newId === undefined) {
		progress.newId = await uploadAgain(session, returning, deleted);
		await readListsAgain(session, ['abilities', 'installed']);
	}

	const ability = findAbility(session, returning);
	const present = findInstalled(session, ability);
	if (installed === undefined) {
		// Some services install and switch on every upload.
		if (isAbsent && present !== undefined) {
			await uninstallation.write(session, present);
		}

		return true;
	}

	if (present !== undefined && deleted === undefined && !progress.isInstallationSent) {
		return false;
	}

	if (present === undefined) {
		progress.isInstallationSent = true;
		await installation.write(session, ability);
		await session.records.readAgain('installed');
	}

	const record = findInstalled(session, ability);
	if (record === undefined) {
		throw new SwitchboardError('not-found', `The list of installed abilities does not show ${installed.name}.`);
	}

	if ((installed.isEnabled ?? record.isEnabled) !== undefined) {
		await restoreInstalled(session, record, installed);
	}

	return true;
}

/** Uploads a deleted ability again; returns its new id. */
async function uploadAgain(session: ServiceSession, {former: {name, source}, progress}: Returning, ability: Ability): Promise<number> {
	const uploadName = rawName(ability);
	const namesake = session.records.seen('abilities')?.find(each => rawName(each) === uploadName);
	if (namesake !== undefined && !progress.isUploadUncertain) {
		throw new SwitchboardError('conflict', `There is an ability named ${name} again (id ${namesake.id}).`);
	}

	if (namesake !== undefined) {
		return namesake.id;
	}

	const zip = source !== undefined && 'zip' in source ? session.changes.log.package(source.zip) : undefined;
	if (zip === undefined) {
		throw new SwitchboardError('refused', `${name} cannot be brought back. Its source is no longer kept.`);
	}

	try {
		const upload = {...packageOf(ability, zip), agentId: undefined};
		const {id} = await sendPacked(session, upload, {
			signal: new AbortController().signal,
			onPhase() {
				/* The message says that it is under way. */
			},
		});
		if (id === undefined) {
			throw new SwitchboardError('not-found', `${name} was uploaded, but the list of abilities does not show it.`, {
				isOutcomeUnknown: true,
			});
		}

		return id;
	} catch (error_) {
		const error = toSwitchboardError(error_);
		progress.isUploadUncertain = error.isOutcomeUnknown;
		throw error;
	}
}

function findAbility(session: ServiceSession, {former: {name, abilityId, installed}, progress: {newId}}: Returning): Ability {
	const abilities = session.records.seen('abilities') ?? [];
	const id = newId ?? abilityId;
	// The id may belong to another ability by now.
	const found =
		id === undefined
			? installed && abilityLookup(abilities)(installed)
			: abilities.find(each => each.id === id && (each.name === name || !Object.hasOwn(each.raw, 'name')));
	if (found === undefined) {
		throw new SwitchboardError('not-found', goneText('abilities', name));
	}

	return found;
}

const findInstalled = (session: ServiceSession, ability: Ability): InstalledAbility | undefined =>
	installedLookup(session.records.seen('installed') ?? [])(ability);

/**
Gives a newly installed record the state, the phrases and the flags of the former one, as far as the service shows them. Nobody else can
have changed it yet.
*/
async function restoreInstalled(session: ServiceSession, {id, name}: InstalledAbility, former: InstalledAbility): Promise<void> {
	const phrases = showsPhrases(former) ? rawPhrases(former.raw) : undefined;
	const wanted = (now: InstalledAbility): InstalledAbility => {
		const flags = installedFlags.filter(flag => Object.hasOwn(now.raw, flag) && Object.hasOwn(former.raw, flag));
		return {
			...now,
			isEnabled: former.isEnabled ?? now.isEnabled,
			raw: {...now.raw, ...Object.fromEntries(flags.map(flag => [flag, former.raw[flag]!]))},
		};
	};
	const isRestored = (now: InstalledAbility): boolean =>
		wanted(now).isEnabled === now.isEnabled &&
		isSameJson(wanted(now).raw, now.raw) &&
		(phrases === undefined || hasValues('installed', now, {triggers: former.triggerPhrases}) !== false);
	const find = (): InstalledAbility | undefined => session.records.seen('installed')?.find(record => record.id === id);
	await when(() => !session.changes.queue.intents('installed', 'enabled').has(id), session.changes.queue.subscribe);
	await session.records.readAgain('installed');
	const now = find();
	if (now === undefined) {
		throw new SwitchboardError('not-found', goneText('installed', name));
	}

	if (isRestored(now)) {
		return;
	}

	const after = await writeOrLookUp(
		session,
		'installed',
		async () =>
			phrases === undefined || !Object.hasOwn(now.raw, 'trigger_words')
				? session.records.client.editInstalled(wanted(now), {enabled: wanted(now).isEnabled})
				: session.records.client.editInstalled(wanted(now), {triggers: phrases}),
		() => {
			const found = find();
			return found && (isRestored(found) ? {result: found} : {sentence: 'The list does not show it'});
		},
	);
	await changeList(session.records.queryClient, 'installed', records => records.map(record => (record.id === after.id ? after : record)));
}

/** Gives the abilities to their former agents. Returns a sentence for each agent that no longer exists. */
async function tieAll(session: ServiceSession, returnings: readonly Returning[], group: Group): Promise<readonly string[]> {
	const ties = returnings.flatMap(({former: {agents = [], abilityId}, progress: {newId}}) =>
		agents.map(agent => ({agent, abilityId: newId ?? abilityId!})),
	);
	if (ties.length === 0) {
		return [];
	}

	await session.records.readAgain('agents');
	const gone: string[] = [];
	for (const [id, tied] of Map.groupBy(ties, ({agent}) => agent.id)) {
		const {name} = tied[0]!.agent;
		const agent = session.records.seen('agents')?.find(each => each.id === id && each.name === name);
		const missing = tied.map(({abilityId}) => abilityId).filter(abilityId => !agent?.abilityIds?.includes(abilityId));
		if (agent?.abilityIds === undefined) {
			gone.push(`There is no agent ${name} to use ${tied.length === 1 ? 'it' : 'them'}.`);
		} else if (missing.length > 0) {
			await tieToAgent(session, agent, missing, group);
		}
	}

	return gone;
}

function backText(returnings: readonly Returning[]): string {
	const [
		{
			former: {name, installed},
			progress: {newId},
		},
	] = returnings as readonly [Returning];
	const isUploaded = newId !== undefined;
	if (returnings.length > 1) {
		return `${returnings.length} abilities are ${isUploaded ? 'uploaded again, with new ids' : 'installed again'}.`;
	}

	const state = installed?.isEnabled === undefined ? '' : ` and ${stateWord(installed.isEnabled)}`;
	return isUploaded
		? `${name} is uploaded again with a new id, ${newId}${installed === undefined ? '' : `, installed${state}`}.`
		: `${name} is installed again${state}.`;
}

/** The losses of an ability that is back, in sentences. */
const notRestored = ({name, agents, losses}: Former, isOne: boolean): readonly string[] => [
	...(losses.length === 0 ? [] : [`Not restored${isOne ? '' : ` of ${name}`}: ${losses.join(', ')}.`]),
	...(agents === undefined ? [`Check which agents use ${isOne ? 'it' : name}: this service does not show that.`] : []),
];

/** Asks before deleted abilities are uploaded again with losses; returns false after a no, or if nobody could be asked. */
async function mayBringBack(session: ServiceSession, formers: readonly Former[], lostNames: readonly string[]): Promise<boolean> {
	if (lossLines(formers).length === 0) {
		return true;
	}

	return (
		(await session.changes.confirm({
			question: `Upload ${formers.length === 1 ? formers[0]!.name : `${formers.length} abilities`} again?`,
			details: [...lossLines(formers), ...(lostNames.length === 0 ? [] : [`Lost for good: ${lostNames.join(', ')}.`])],
			yes: 'upload again',
		})) === true
	);
}

/**
Returns the step that undoes an installation: it uninstalls the abilities that the list then shows, after the question that `d` asks.

@param abilities - the installed abilities.
@param redo - names the key that installs them again.
*/
export function uninstallStep(
	session: ServiceSession,
	abilities: ReadonlyArray<Pick<Ability, 'id' | 'name'>>,
	redo: string,
): ReversibleStep {
	const subjectOf = (all: ReadonlyArray<{readonly name: string}>): string => (all.length === 1 ? all[0]!.name : `${all.length} abilities`);
	const takeBack = async () => {
		await Promise.all([session.records.readAgain('installed'), session.records.readAgain('abilities')]);
		const installedOf = installedLookup(session.records.seen('installed') ?? []);
		const ids = new Set(abilities.map(({id}) => id));
		const there = (session.records.seen('abilities') ?? [])
			.filter(({id}) => ids.has(id))
			.map(ability => installedOf(ability))
			.filter(record => record !== undefined);
		const subject = subjectOf(there);
		if (there.length === 0) {
			return {text: `${subjectOf(abilities)} ${abilities.length === 1 ? 'is' : 'are'} no longer installed.`, reverse: undefined};
		}

		const isAgreed = await session.changes.confirm({
			question: `Uninstall ${subject}?`,
			details: [
				...stateLines(session, there),
				`The ${there.length === 1 ? 'ability itself stays' : 'abilities themselves stay'}; ${there.length === 1 ? 'its state and its' : 'their states and'} trigger phrases are lost.`,
			],
			yes: `uninstall ${subject}`,
		});
		if (isAgreed !== true) {
			throw new SwitchboardError('cancelled', 'Nothing was uninstalled.');
		}

		const outcomes = await sendChanges(there, {send: async record => uninstallation.write(session, record)});
		void readListsAgain(session, uninstallation.shownBy);
		const failed = outcomes.find(outcome => 'error' in outcome);
		if (failed !== undefined) {
			throw failed.error;
		}

		return {text: `${subject} ${there.length === 1 ? 'is' : 'are'} uninstalled.`, reverse: {refusal: `Nothing to redo: ${redo}`}};
	};

	const what = `the installation of ${subjectOf(abilities)}`;
	return {
		what,
		takeBack: async () =>
			session.changes.log.restoring(async () =>
				runWrite(session, {key: ['undo-installation', what], unknown: `It is not known whether this was undone: ${what}.`}, takeBack),
			),
	};
}

/** Returns the states of the abilities that a question is about, a line each. A single one is named by the question. */
export function stateLines(session: ServiceSession, records: readonly InstalledAbility[]): readonly string[] {
	const nameOf = uniqueName(session.records.seen('installed'));
	return records.length === 1 ? [`It is ${shownState(records[0]!)}.`] : records.map(record => `${nameOf(record)}: ${shownState(record)}`);
}

/** Returns the state of an installed ability as it follows “is”. */
export function shownState({isEnabled}: InstalledAbility): string {
	return isEnabled === undefined ? 'on or off: the service does not show it' : stateWord(isEnabled);
}

/** Returns a function for the name of a record, with its id if another record of the list has the name. */
export function uniqueName(list: readonly Named[] = []): (record: Named) => string {
	return ({id, name}) => (list.some(other => other.id !== id && other.name === name) ? `${name} (${id})` : name);
}
