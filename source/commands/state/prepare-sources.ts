import pMap from 'p-map';
import type {PackedAbility} from '../../bundle/pack-ability.ts';
import {compareSource} from '../../client/compare-source.ts';
import {findRelease, type FoundRelease} from '../../client/find-release.ts';
import {isCategory} from '../../interface/categories.ts';
import {quotePath} from '../../interface/ability-package/refusals.ts';
import {toSwitchboardError} from '../../interface/errors.ts';
import {absenceCheck, installedLookup} from '../../interface/installed-lookup.ts';
import {nameIdentity} from '../../interface/name-index.ts';
import type {Ability} from '../../interface/records.ts';
import {indexList} from '../../state/list-index.ts';
import {matchAbilities, type SourceComparison} from '../../state/plan-abilities.ts';
import type {Lists} from '../../state/plan.ts';
import {errorProblem, type Problem} from '../../state/problems.ts';
import type {AbilityEntry, Place, State} from '../../state/state.ts';
import type {Context} from '../context.ts';
import {releasesOf} from '../source/send-release.ts';
import type {Service} from '../with-service.ts';

/** The source of an ability, ready to be sent. */
export type PreparedSource = SourceComparison & {
	readonly packed: PackedAbility;
	/** What it replaces; `undefined` if the ability is created, is the same, or is installed first. */
	readonly release: FoundRelease | undefined;
};

type Sources = {
	readonly sources: ReadonlyMap<AbilityEntry, PreparedSource>;
	readonly problems: readonly Problem[];
};

/** Few, because each holds a whole ability in memory. */
const sourcesAtATime = 2;

/** What is wrong with the state, or cannot be done by this service, is a problem of the state; what may work the next time ends the command. */
const toProblem = ({place, subject = ''}: {readonly place: Place; readonly subject?: string}, error_: unknown): Problem => {
	const error = toSwitchboardError(error_);
	if (!['refused', 'too-large', 'conflict', 'usage', 'not-found'].includes(error.kind)) {
		throw error_;
	}

	const problem = errorProblem(place, error);
	return error.message.includes(subject) ? problem : {...problem, message: `${subject}: ${problem.message}`};
};

const pack = async ({name, sourcePath, category, description, triggerPhrases}: AbilityEntry, ability: Ability | undefined): Promise<PackedAbility> => {
	// Other commands need no zip library.
	const {packAbility} = await import('../../bundle/pack-ability.ts');
	return packAbility(sourcePath, {
		name,
		description,
		// It decides which files are needed.
		category: category ?? (isCategory(ability?.category) ? ability.category : undefined),
		triggerPhrases,
	});
};

/** True if the state itself installs an ability, which shows its release only then. */
const isInstalledFirst = (ability: Ability, {installed}: State, lists: Lists): boolean => {
	const records = lists.installed?.records ?? [];
	return installed.some(({name}) => nameIdentity(name) === nameIdentity(ability.name))
		&& installedLookup(records)(ability) === undefined && absenceCheck(records)(ability);
};

const compare = async (context: Context, service: Service, packed: PackedAbility, ability: Ability, isReleaseShown: boolean): Promise<PreparedSource> => {
	context.showProgress(`Comparing ${ability.name} …`);
	const releases = releasesOf(context, service);
	const {same} = await compareSource(releases, ability, packed);
	const release = same || !isReleaseShown ? undefined : await findRelease(releases, ability);
	return {
		packed, release, isSame: same, version: release?.version ?? '',
	};
};

/** Packs the sources that a state names, and compares those of abilities that exist with the service: at most two requests each. */
export const prepareSources = async (context: Context, service: Service, state: State, lists: Lists): Promise<Sources> => {
	const sources = new Map<AbilityEntry, PreparedSource>();
	const problems: Problem[] = [];
	await pMap(matchAbilities(state.abilities, indexList(lists.abilities)), async match => {
		const {entry} = match;
		const ability = 'ability' in match ? match.ability : undefined;
		let packed: PackedAbility;
		try {
			packed = await pack(entry, ability);
		} catch (error) {
			problems.push(toProblem({place: entry.sourcePlace, subject: quotePath(entry.source)}, error));
			return;
		}

		try {
			sources.set(entry, ability === undefined
				? {
					packed, release: undefined, isSame: false, version: '',
				}
				: await compare(context, service, packed, ability, !isInstalledFirst(ability, state, lists)));
		} catch (error) {
			problems.push(toProblem(entry, error));
		}
	}, {concurrency: sourcesAtATime});
	return {sources, problems};
};
