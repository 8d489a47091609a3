import type {ResourceList} from '../../client/client.ts';
import {isUnknown} from '../../client/routes.ts';
import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {formatCount} from '../../interface/format-count.ts';
import {listNouns, recordNouns} from '../../interface/lists.ts';
import {
	rawName,
	type Ability,
	type Records,
	type Resource,
} from '../../interface/records.ts';
import type {Change} from '../../state/change.ts';
import {compareWithKnown, isWhole, type Known} from '../../state/compare-with-known.ts';
import type {Context} from '../context.ts';
import type {Service} from '../with-service.ts';
import {isOutage, type Look, type Outdated} from './poll.ts';
import {pollList} from './poll-list.ts';

/** Abilities first: agents name them. */
const order = ['abilities', 'installed', 'agents'] as const satisfies readonly Resource[];

/** What came of reading the lists once. */
export type Round = Look & {readonly changes: readonly Change[]};

type Followed<R extends Resource> = {
	readonly list: ResourceList<Records[R]>;
	readonly known: Known<R>;
};

type AllFollowed = {-readonly [R in Resource]?: Followed<R>};

const countOf = (resource: Resource, count: number): string => `${formatCount(count)} ${count === 1 ? recordNouns[resource] : listNouns[resource]}`;

/**
Follows the three lists of a service. Each call of the function that it returns reads some of them once more and tells what changed since.

A list that the service does not have is noted once and left out; without any list that function throws. So it does for an error
that is no outage, such as `key-refused`.
*/
export const followLists = ({note}: Context, {client}: Service, signal: AbortSignal): ((outdated: Outdated) => Promise<Round>) => {
	const followed: AllFollowed = {};
	const missing = new Set<Resource>();
	const incomplete = new Set<Resource>();
	let abilitiesBefore: ReadonlyMap<number, Ability> = new Map();
	let isStarted = false;

	const nameOf = (id: number): string => {
		const ability = followed.abilities?.known.records.get(id) ?? abilitiesBefore.get(id);
		return ability === undefined ? `#${id}` : rawName(ability);
	};

	const read = async <R extends Resource>(resource: R, version: string | undefined): Promise<readonly Change[]> => {
		const before = followed[resource];
		const list = await pollList(client, resource, before?.list, version, signal);
		if (!isWhole(list) && !incomplete.has(resource)) {
			incomplete.add(resource);
			note(`The list of ${listNouns[resource]} is incomplete: what comes and goes in it is not reported until it is whole.`);
		}

		const {known, changes} = compareWithKnown(resource, before?.known, list, nameOf);
		abilitiesBefore = resource === 'abilities' ? followed.abilities?.known.records ?? abilitiesBefore : abilitiesBefore;
		(followed as Record<Resource, unknown>)[resource] = {list, known} satisfies Followed<R>;
		return changes;
	};

	const noteStart = (): void => {
		const seen = order.toReversed().flatMap(resource => followed[resource] === undefined ? [] : [countOf(resource, followed[resource].known.records.size)]);
		isStarted = seen.length === order.length - missing.size;
		if (isStarted) {
			note(`Watching ${seen.join(', ').replace(/, (?=[^,]*$)/, ' and ')}.`);
		}
	};

	const handleError = (resource: Resource, error_: unknown): SwitchboardError | undefined => {
		const error = toSwitchboardError(error_);
		if (isUnknown(error) && followed[resource] === undefined) {
			missing.add(resource);
			if (missing.size === order.length) {
				throw new SwitchboardError('not-found', error.message, {nextStep: error.nextStep, status: error.status, cause: error});
			}

			note(`The service has no list of ${listNouns[resource]} (HTTP ${error.status}): they are not watched.`);
			return undefined;
		}

		if (!isOutage(error)) {
			throw error_;
		}

		return error;
	};

	return async outdated => {
		const startedAt = performance.now();
		const changes: Change[] = [];
		let failure: SwitchboardError | undefined;
		const resources = order.filter(resource => outdated.has(resource) && !missing.has(resource));
		for (const resource of resources) {
			try {
				changes.push(...await read(resource, outdated.get(resource)));
			} catch (error) {
				failure ??= handleError(resource, error);
			}

			// The next list would only be waited for as long.
			if (failure?.kind === 'unreachable' || failure?.kind === 'timeout' || signal.aborted) {
				break;
			}
		}

		if (!isStarted && failure === undefined && !signal.aborted) {
			noteStart();
		}

		return {changes, failure, readMilliseconds: performance.now() - startedAt};
	};
};
