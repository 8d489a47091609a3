import {hasValues} from '../../changes/fields.ts';
import {lossesOf} from '../../changes/revert.ts';
import {sendChanges} from '../../changes/send-changes.ts';
import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {abilityLookup, installedLookup, stateWord} from '../../interface/installed-lookup.ts';
import {isSameJson} from '../../interface/json.ts';
import {goneText} from '../../interface/lists.ts';
import {hasMorePhrases, rawName, rawPhrases, type Ability, type InstalledAbility} from '../../interface/records.ts';
import {tieToAgent} from './saves.ts';
import {isKept, keptDeletions, type Former} from './former-abilities.ts';
import {when} from '../observable.ts';
import {changeList} from './list-cache.ts';
import type {ServiceSession} from './service-session.ts';
import type {ReversibleStep} from './undo-history.ts';
import {sendPacked} from './upload.ts';
import {installation, readListsAgain, runWrite, uninstallation, writeOrLookUp} from './writes.ts';

/* Undoing an installation, an uninstallation and a deletion: after the last two, an ability is put together again from how it was before. */

/** Uploads a deleted ability again; returns its new id. */
const uploadAgain = async (session: ServiceSession, former: Former): Promise<number> => {
	const {name, source} = former;
	if (!isKept(source)) {
		throw new SwitchboardError('refused', `${name} cannot be brought back. ${source?.reason ?? 'Its source is not known.'}`);
	}

	const {ability, files} = source;
	const uploadName = rawName(ability);
	const namesake = session.records.seen('abilities')?.find(each => rawName(each) === uploadName);
	if (namesake !== undefined && !former.isUploadUncertain) {
		throw new SwitchboardError('conflict', `There is an ability named ${name} again (id ${namesake.id}).`);
	}

	if (namesake !== undefined) {
		return namesake.id;
	}

	const {writeZip} = await import('../../interface/ability-package/write-zip.ts');
	const zip = await writeZip(files.map(({path, bytes}) => ({path: `${uploadName}/${path}`, bytes})));
	const {description, category} = ability.raw;
	const packed = {
		name: uploadName,
		description: typeof description === 'string' ? description : '',
		category: typeof category === 'string' && category !== '' ? category : 'skill',
		triggerPhrases: rawPhrases(ability.raw),
		zip,
		sizeBytes: zip.byteLength,
		image: undefined,
		agentId: undefined,
	};
	try {
		const {id} = await sendPacked(session, packed, {
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
		former.isUploadUncertain = error.isOutcomeUnknown;
		throw error;
	}
};

const findAbility = (session: ServiceSession, {name, ability, installed, newId}: Former): Ability => {
	const abilities = session.records.seen('abilities') ?? [];
	const id = newId ?? ability?.id;
	// An id may be another ability's by now.
	const found =
		id === undefined
			? installed && abilityLookup(abilities)(installed)
			: abilities.find(each => each.id === id && (each.name === name || !Object.hasOwn(each.raw, 'name')));
	if (found === undefined) {
		throw new SwitchboardError('not-found', goneText('abilities', name));
	}

	return found;
};

const findInstalled = (session: ServiceSession, ability: Ability): InstalledAbility | undefined =>
	installedLookup(session.records.seen('installed') ?? [])(ability);

/** What a PUT replaces besides the state and the phrases, and a new installation begins anew. */
const installedFlags = ['system_capability', 'agent_capability'] as const;

/**
Gives a record that was just installed the state, the phrases and the flags of the one before it, as far as the service shows them.
Somebody else cannot have changed it yet.
*/
const restoreInstalled = async (session: ServiceSession, {id, name}: InstalledAbility, former: InstalledAbility): Promise<void> => {
	const phrases = Object.hasOwn(former.raw, 'trigger_words') && !hasMorePhrases(former.raw) ? rawPhrases(former.raw) : undefined;
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
};

/** Uploads, installs and switches an ability as it was. Returns false if somebody else has installed it again. */
const bringOneBack = async (session: ServiceSession, former: Former): Promise<boolean> => {
	const {installed, isAbsent, source} = former;
	if (source !== undefined && former.newId === undefined) {
		former.newId = await uploadAgain(session, former);
		await readListsAgain(session, ['abilities', 'installed']);
	}

	const ability = findAbility(session, former);
	const present = findInstalled(session, ability);
	if (installed === undefined) {
		// Some services install and switch on whatever is uploaded.
		if (isAbsent && present !== undefined) {
			await uninstallation.write(session, present);
		}

		return true;
	}

	if (present !== undefined && source === undefined && !former.isInstallationSent) {
		return false;
	}

	if (present === undefined) {
		former.isInstallationSent = true;
		await installation.write(session, ability);
		await session.records.readAgain('installed');
	}

	const record = findInstalled(session, ability);
	if (record === undefined) {
		throw new SwitchboardError('not-found', `The list of installed abilities does not show ${former.name}.`);
	}

	if ((installed.isEnabled ?? record.isEnabled) !== undefined) {
		await restoreInstalled(session, record, installed);
	}

	return true;
};

/** Gives the abilities to the agents that had them. Returns a sentence for each agent that there is no more. */
const tieAll = async (session: ServiceSession, formers: readonly Former[]): Promise<readonly string[]> => {
	const ties = formers.flatMap(former => (former.agents ?? []).map(agent => ({agent, abilityId: former.newId ?? former.ability!.id})));
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
			await tieToAgent(session, agent, missing);
		}
	}

	return gone;
};

/** What cannot be brought back with an ability. */
const lostOf = ({ability, installed, source}: Former): readonly string[] => [
	// A list and a record that is read alone show different fields.
	...(source === undefined ? [] : new Set([...lossesOf(ability ?? {}), ...(isKept(source) ? lossesOf(source.ability) : [])])),
	...(installed !== undefined && installed.isEnabled === undefined ? ['its state'] : []),
	...(installed !== undefined && (!Object.hasOwn(installed.raw, 'trigger_words') || hasMorePhrases(installed.raw))
		? ['its trigger phrases']
		: []),
];

/** Asks before deleted abilities are uploaded again without all that they had, and returns false if nobody could be asked or the answer is no. */
const mayBringBack = async (session: ServiceSession, formers: readonly Former[], lostNames: readonly string[]): Promise<boolean> => {
	const isOne = formers.length === 1;
	const lost = formers
		.filter(({source}) => source !== undefined)
		.map(former => [former.name, lostOf(former)] as const)
		.filter(([, losses]) => losses.length > 0);
	if (lost.length === 0) {
		return true;
	}

	return (
		(await session.changes.confirm({
			question: `Upload ${isOne ? formers[0]!.name : `${formers.length} abilities`} again?`,
			details: [
				...lost.map(([name, losses]) => `Lost for good${isOne ? '' : ` of ${name}`}: ${losses.join(', ')}.`),
				...(lostNames.length === 0 ? [] : [`Lost for good: ${lostNames.join(', ')}.`]),
			],
			yes: 'upload again',
		})) === true
	);
};

/** What could not be brought back with an ability, in sentences. */
const notRestored = (former: Former, isOne: boolean): readonly string[] => {
	const {name, agents} = former;
	const lost = lostOf(former);
	return [
		...(lost.length === 0 ? [] : [`Not restored${isOne ? '' : ` of ${name}`}: ${lost.join(', ')}.`]),
		...(agents === undefined ? [`Check which agents use ${isOne ? 'it' : name}: this service does not show that.`] : []),
	];
};

const backText = (formers: readonly Former[]): string => {
	const [{name, newId, installed}] = formers as readonly [Former];
	const isUploaded = newId !== undefined;
	if (formers.length > 1) {
		return `${formers.length} abilities are ${isUploaded ? 'uploaded again, with new ids' : 'installed again'}.`;
	}

	const state = installed?.isEnabled === undefined ? '' : ` and ${stateWord(installed.isEnabled)}`;
	return isUploaded
		? `${name} is uploaded again with a new id, ${newId}${installed === undefined ? '' : `, installed${state}`}.`
		: `${name} is installed again${state}.`;
};

/**
How to bring abilities back that were uninstalled or deleted. If that fails in part, the next undo goes on with the rest. It
cannot be redone: removing something asks first.

@param names.what - the subject of the undo, such as “the deletion of lamps”.
@param names.removal - removes them again, such as “d uninstalls lamps”.
@param formers - how each was before it went; of deleted ones, those with a source.
@param lostNames - of the abilities that went with them, and cannot be brought back.
*/
export const bringBackStep = (
	session: ServiceSession,
	{what, removal}: Record<'what' | 'removal', string>,
	formers: readonly Former[],
	lostNames: readonly string[],
): ReversibleStep => {
	const takeBack = async () => {
		await Promise.all([session.records.readAgain('abilities'), session.records.readAgain('installed')]);
		const elsewhere: Former[] = [];
		const outcomes = await sendChanges(
			formers.filter(({isBack}) => !isBack),
			{
				async send(former) {
					if (!(await bringOneBack(session, former))) {
						elsewhere.push(former);
					}

					former.isBack = true;
				},
			},
		);
		const failed = outcomes.filter(outcome => 'error' in outcome);
		const back = formers.filter(former => former.isBack && !elsewhere.includes(former));
		const gone = await tieAll(session, back);
		void readListsAgain(session, ['abilities', 'installed', 'agents']);
		const sentences = [
			...(back.length === 0 ? [] : [backText(back)]),
			...elsewhere.map(({name}) => `${name} is installed again already, and stays as it is.`),
			...gone,
			...back.flatMap(former => notRestored(former, formers.length === 1)),
			...(lostNames.length === 0 ? [] : [`Lost for good: ${lostNames.join(', ')}.`]),
		];
		if (failed.length > 0) {
			const failures = failed.map(({item: {name}, error: {message}}) => (formers.length === 1 ? message : `${name}: ${message}`));
			const isOutcomeUnknown = failed.some(({error}) => error.isOutcomeUnknown);
			throw new SwitchboardError(failed[0]!.error.kind, [...failures, ...sentences].join(' '), {isOutcomeUnknown});
		}

		const kept = session.memory.get(keptDeletions);
		for (const each of kept) {
			if (each.formers === formers) {
				kept.delete(each);
			}
		}

		return {text: sentences.join(' '), reverse: {refusal: `Nothing to redo: ${removal} again, and asks first.`}};
	};

	let isAgreed = false;
	return {
		what,
		async takeBack() {
			isAgreed ||= await mayBringBack(session, formers, lostNames);
			if (!isAgreed) {
				throw new SwitchboardError('cancelled', 'Nothing was uploaded.');
			}

			return runWrite(session, {key: ['bring-back', what], unknown: `It is not known whether this was undone: ${what}.`}, takeBack);
		},
	};
};

/**
Returns how to undo an installation: by uninstalling what the list shows of it then, after the question that `d` asks.

@param abilities - those that were installed.
@param redo - says which key installs them again.
*/
export const uninstallStep = (
	session: ServiceSession,
	abilities: ReadonlyArray<Pick<Ability, 'id' | 'name'>>,
	redo: string,
): ReversibleStep => {
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
				...there.map(record => `${record.name} (${installedText(record)})`),
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
			runWrite(session, {key: ['undo-installation', what], unknown: `It is not known whether this was undone: ${what}.`}, takeBack),
	};
};

/** Describes an installed ability after its name in a question: its id and its state. */
export const installedText = ({id, isEnabled}: InstalledAbility): string =>
	`${id}, ${isEnabled === undefined ? 'state not shown' : stateWord(isEnabled)}`;
