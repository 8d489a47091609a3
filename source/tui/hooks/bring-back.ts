import {partsLeft, planBack, tiesLeft, type PartBack, type PlannedBack} from '../../changes/bring-back.ts';
import {hasValues} from '../../changes/fields.ts';
import type {Group} from '../../changes/log-lines.ts';
import type {NotedFormer} from '../../changes/recorded-client.ts';
import {lossLines, type Former} from '../../changes/removals.ts';
import {sendChanges} from '../../changes/send-changes.ts';
import {SwitchboardError, throwIfAny, toSwitchboardError} from '../../interface/errors.ts';
import {stateWord} from '../../interface/installed-lookup.ts';
import {isSameJson} from '../../interface/json.ts';
import {goneText} from '../../interface/lists.ts';
import {cleanName, rawName, type Ability, type InstalledAbility} from '../../interface/records.ts';
import {when} from '../observable.ts';
import {changeList} from './list-cache.ts';
import {tieToAgent} from './saves.ts';
import type {ServiceSession} from './service-session.ts';
import type {ReversibleStep} from './undo-history.ts';
import {sendPacked} from './upload.ts';
import {installation, readListsAgain, runWrite, uninstallation, writeOrLookUp} from './writes.ts';

/* Undoing an uninstallation and a deletion: the parts of an ability that are left to bring back are sent one by one. */

/** How far an ability is restored. Steps that a failed undo has done are not done again. */
type Progress = {isBack?: boolean; isInstallationSent?: boolean; isUploadUncertain?: boolean; newId?: number | undefined};

type PartOf<Kind extends PartBack['kind']> = Extract<PartBack, {readonly kind: Kind}>;

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
async function bringOneBack(session: ServiceSession, {former, progress}: Returning): Promise<boolean> {
	const {seen, readAgain} = session.records;
	const isOwn = (record: Ability | InstalledAbility, kind: 'ability' | 'installed'): boolean =>
		kind === 'installed'
			? progress.isInstallationSent === true
			: record.id === progress.newId || (progress.isUploadUncertain === true && rawName(record) === rawName(former.ability!));
	const sent = new Set<PartBack['kind']>();
	for (;;) {
		const lists = {abilities: seen('abilities') ?? [], installed: seen('installed') ?? []};
		const planned = planBack(former, lists, isOwn);
		if (planned === undefined) {
			return false;
		}

		progress.newId = former.ability && planned.ability?.id;
		const [part] = partsLeft(planned, session.changes.log.package);
		if (part !== undefined && sent.has(part.kind)) {
			const list = part.kind === 'upload' ? 'abilities' : 'installed abilities';
			throw new SwitchboardError('not-found', `The list of ${list} does not show ${former.name}.`);
		}

		switch (part?.kind) {
			case 'upload': {
				progress.newId = await uploadAgain(session, part, progress);
				await readListsAgain(session, ['abilities', 'installed']);
				break;
			}

			case 'install': {
				progress.isInstallationSent = true;
				await installation.write(session, part.ability);
				await readAgain('installed');
				break;
			}

			case 'uninstall': {
				await uninstallation.write(session, part.installed);
				return true;
			}

			case 'set': {
				await restoreInstalled(session, planned.installed!, former.installed!, part);
				return true;
			}

			case undefined: {
				return true;
			}
		}

		sent.add(part.kind);
	}
}

/** Uploads a deleted ability again; returns its new id. */
async function uploadAgain(session: ServiceSession, {packed, problem}: PartOf<'upload'>, progress: Progress): Promise<number> {
	throwIfAny(problem);
	try {
		const {id} = await sendPacked(
			session,
			{...packed, agentId: undefined},
			{
				signal: new AbortController().signal,
				onPhase() {
					/* The message says that it is under way. */
				},
			},
		);
		if (id === undefined) {
			throw new SwitchboardError('not-found', `${cleanName(packed.name)} was uploaded, but the list of abilities does not show it.`, {
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

/**
Gives a newly installed record the state, the phrases and the flags of the former one, as far as the service shows them. Nobody else can
have changed it yet.
*/
async function restoreInstalled(
	session: ServiceSession,
	{id, name, isEnabled}: InstalledAbility,
	former: InstalledAbility,
	{values: {enabled, triggers}, flags}: PartOf<'set'>,
): Promise<void> {
	if ((enabled ?? isEnabled) === undefined) {
		return;
	}

	const wanted = (now: InstalledAbility): InstalledAbility => ({
		...now,
		isEnabled: enabled ?? now.isEnabled,
		raw: {...now.raw, ...Object.fromEntries(Object.entries(flags).filter(([flag]) => Object.hasOwn(now.raw, flag)))},
	});
	const isRestored = (now: InstalledAbility): boolean =>
		wanted(now).isEnabled === now.isEnabled &&
		isSameJson(wanted(now).raw, now.raw) &&
		(triggers === undefined || hasValues('installed', now, {triggers: former.triggerPhrases}) !== false);
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
			triggers === undefined || !Object.hasOwn(now.raw, 'trigger_words')
				? session.records.client.editInstalled(wanted(now), {enabled: wanted(now).isEnabled})
				: session.records.client.editInstalled(wanted(now), {triggers}),
		() => {
			const found = find();
			return found && (isRestored(found) ? {result: found} : {sentence: 'The list does not show it'});
		},
	);
	await changeList(session.records.queryClient, 'installed', records => records.map(record => (record.id === after.id ? after : record)));
}

/** Gives the abilities to their former agents. Returns a sentence for each agent that no longer exists. */
async function tieAll(session: ServiceSession, returnings: readonly Returning[], group: Group): Promise<readonly string[]> {
	if (returnings.every(({former: {agents = []}}) => agents.length === 0)) {
		return [];
	}

	await session.records.readAgain('agents');
	const {left, gone} = tiesLeft(
		returnings.map(({former, progress: {newId}}) => ({former, id: newId ?? former.abilityId!})),
		session.records.seen('agents') ?? [],
	);
	for (const {agent, ties} of left) {
		await tieToAgent(
			session,
			agent,
			ties.map(({id}) => id!),
			group,
		);
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
