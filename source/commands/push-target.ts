import path from 'node:path';
import {tieOf, type TieFile} from '../bundle/folder-tie.ts';
import {possibleNames, type AbilityOverrides} from '../bundle/pack-ability.ts';
import type {AbilitySource} from '../bundle/read-source.ts';
import type {ResourceList} from '../client/client.ts';
import {tieFileName} from '../interface/ability-package/junk.ts';
import {quotePath} from '../interface/ability-package/limits.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {findNearNamesakes, indexNames, listCandidates, nameIdentity} from '../interface/name-index.ts';
import {cleanName, rawName, type Ability} from '../interface/records.ts';
import {shellWord} from '../platform/shell-word.ts';
import {showsAllNames} from '../state/plan.ts';
import {isInteractive, type Context} from './context.ts';
import {findRecord} from './find-records.ts';
import {describeTie} from './keep-tie.ts';
import type {Service} from './with-service.ts';

export type PushFolder = {
	/** As it was given. */
	readonly path: string;
	readonly source: AbilitySource;
	readonly tieFile: TieFile;
};

export type PushTargetOptions = {
	readonly ability?: string;
	readonly name?: string;
	/** Allows creating an ability even if that may be a slip. */
	readonly create?: boolean;
};

export type PushWish = PushTargetOptions & {
	/** True to save drafts. */
	readonly draft?: boolean;
	/** For a new ability only. */
	readonly metadata?: Omit<AbilityOverrides, 'name' | 'defaults'> | undefined;
	readonly agentId?: number | undefined;
	/** For a new version; by default a text that names the changed files. */
	readonly message?: string;
};

export type PushTarget =
	| {readonly ability: Ability; readonly question?: string | undefined}
	| {readonly ability: undefined; readonly name: string};

/** The information that decides, together with the folder, which ability it is for. */
export type Choosing = {
	readonly context: Context;
	readonly service: Service;
	readonly abilities: ResourceList<Ability>;
	readonly options: PushWish;
};

/**
Decides which ability a folder is for: the ability in the options, the ability in the folder's file, the ability with the given name or the
folder's own name, or a new one.

@throws SwitchboardError `not-found`, `ambiguous`, `refused`, or `conflict` if it may be a slip and nobody can be asked.
*/
export function choosePushTarget(folder: PushFolder, choosing: Choosing): PushTarget {
	const {context, abilities} = choosing;
	const {ability: word, name: givenName, create: isCreationWanted = false} = choosing.options;
	if (word !== undefined) {
		return {ability: findRecord(abilities.records, word, {resource: 'abilities'})};
	}

	const {ability: tied, renamed, failure} = findTied(folder, choosing);
	if (tied !== undefined) {
		// --yes does not answer this: it is for creating.
		if (renamed !== undefined && (context.isSure || !isInteractive(context))) {
			throw new SwitchboardError('conflict', renamed, {
				nextStep: `If that is right: switchboard abilities push ${shellWord(folder.path)} --ability ${tied.id}`,
			});
		}

		if (renamed !== undefined && context.isDryRun) {
			context.note(renamed);
		}

		if (givenName !== undefined && nameIdentity(givenName) !== nameIdentity(tied.name)) {
			context.note(
				`${quotePath(folder.path)} belongs to ${describeTie(tied)}, so --name is ignored. To push it to another ability, use --ability.`,
			);
		}

		return {ability: tied, question: renamed && `${renamed} Release it there?`};
	}

	const names = givenName === undefined ? possibleNames(folder.source) : [givenName];
	const ability = names
		.values()
		.map(name => findNamed(folder.path, name, choosing))
		.find(found => found !== undefined);
	const name = names.at(-1)!;
	if (ability === undefined && !isCreationWanted) {
		refuseSlip(folder.path, name, failure, choosing);
	}

	if (failure !== undefined) {
		context.note(failure);
	}

	return ability === undefined ? {ability, name} : {ability};
}

/** The result of a folder's file: its ability, or the reason why the file does not count. */
type TieFinding = {readonly ability?: Ability; readonly renamed?: string | undefined; readonly failure?: string};

function findTied({path: folder, tieFile}: PushFolder, {context, service, abilities}: Choosing): TieFinding {
	const place = quotePath(path.join(folder, tieFileName));
	const tie = tieOf(tieFile, service.address, context.env);
	const {fields, problem = tie === undefined && (fields['capability_id'] ?? null) !== null ? 'has no id that can be read' : undefined} =
		tieFile;
	if (problem !== undefined) {
		return {failure: `${place} ${problem}, so it is ignored.`};
	}

	const ability = tie?.isHere === true ? abilities.records.find(({id}) => id === tie.id) : undefined;
	if (tie === undefined || ability !== undefined) {
		return ability === undefined ? {} : {ability, renamed: describeRenamed(folder, ability, tie?.name)};
	}

	const reason = tie.isHere ? 'which the service does not list' : 'of another service';
	return {failure: `${place} is for ${describeTie(tie)}, ${reason}, so it is ignored.`};
}

/** Returns a question about an ability whose name differs from the one in the file: ids may have begun anew. */
function describeRenamed(folder: string, ability: Ability, name: string | undefined): string | undefined {
	const isShown = rawName(ability) === ability.raw['name'];
	if (isShown && name !== undefined && nameIdentity(name) === nameIdentity(rawName(ability))) {
		return undefined;
	}

	const was = name === undefined ? 'is' : `was ${cleanName(name)} and is now`;
	const change = isShown ? `which ${was} ${ability.name}` : 'whose name the service does not show';
	return `${quotePath(folder)} belongs to the ability ${ability.id}, ${change}.`;
}

function findNamed(folder: string, name: string, {abilities}: Choosing): Ability | undefined {
	const [found, ...others] = indexNames(abilities.records).find(name);
	if (others.length > 0) {
		const ids = [found!, ...others].map(({id}) => id).join(', ');
		throw new SwitchboardError('ambiguous', `Several abilities are named ${cleanName(name)}: ${ids}.`, {
			nextStep: `Choose one: switchboard abilities push ${shellWord(folder)} --ability ID`,
		});
	}

	return found;
}

/** Refuses to create an ability if that may be a slip. */
function refuseSlip(folder: string, name: string, failure: string | undefined, {abilities}: Choosing): void {
	const push = `switchboard abilities push ${shellWord(folder)}`;
	const near = findNearNamesakes(abilities.records, name);
	if (near.length > 0) {
		const [{id}] = near as readonly [Ability];
		throw new SwitchboardError(
			'conflict',
			`There is no ability ${cleanName(name)}, but one with nearly the same name: ${listCandidates(near)}.`,
			{nextStep: `To release it there: ${push} --ability ${id}\nTo create another one, add --create.`},
		);
	}

	if (failure !== undefined) {
		throw new SwitchboardError('conflict', `${failure} There is no ability ${cleanName(name)} either.`, {
			nextStep: `Name the ability with --ability, or create ${cleanName(name)}: ${push} --create`,
		});
	}

	if (!showsAllNames(abilities)) {
		throw new SwitchboardError(
			'not-found',
			`The service does not show the names of all its abilities, so it is not known whether it has ${cleanName(name)}.`,
			{nextStep: `If it is new: ${push} --create`},
		);
	}
}
