import {type ListVersions} from '../../client/list-versions.ts';
import {type Operation} from '../../interface/endpoints.ts';
import {type Resource} from '../../interface/records.ts';

/** Changes whose answer the screens put into the list that they change. */
const shownAtOnce: Readonly<Partial<Record<Operation, Resource>>> = {editInstalled: 'installed', editAgent: 'agents'};

/** More than one session can make before a list is read again. */
const maximumVersions = 1000;

/** The versions that lists have from changes of this session, which the screens show without reading them. */
export type OwnVersions = {
	/** Takes the versions that an answer to a change names. */
	handleAnswer(operation: Operation, versions: ListVersions, former: ListVersions): void;
	/** True if nothing but changes of this session lies between a version of a list and a later one, or an earlier one. */
	isBetween(resource: Resource, one: string, other: string): boolean;
	forget(): void;
};

export const createOwnVersions = (): OwnVersions => {
	/** The version before each of ours, by resource and version. */
	const former = new Map<string, string>();

	const isOwnSince = (resource: Resource, since: string, version: string): boolean => {
		const passed = new Set<string>();
		let current: string | undefined = version;
		while (current !== undefined && !passed.has(current)) {
			if (current === since) {
				return true;
			}

			passed.add(current);
			current = former.get(`${resource} ${current}`);
		}

		return false;
	};

	return {
		handleAnswer(operation, versions, formerVersions) {
			const resource = shownAtOnce[operation];
			if (resource === undefined) {
				return;
			}

			const version = versions[resource];
			const before = formerVersions[resource];
			if (version === undefined || before === undefined) {
				return;
			}

			former.set(`${resource} ${version}`, before);
			const [oldest] = former.keys();
			if (former.size > maximumVersions) {
				former.delete(oldest!);
			}
		},
		isBetween: (resource, one, other) => isOwnSince(resource, one, other) || isOwnSince(resource, other, one),
		forget() {
			former.clear();
		},
	};
};
