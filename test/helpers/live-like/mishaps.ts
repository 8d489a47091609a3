import type {Answer} from '../answers.ts';
import {jsonAnswer} from '../answers.ts';
import type {RecordedRequest, RequestFilter} from '../recorded-requests.ts';
import {readJsonObject} from '../request-bodies.ts';
import {abilityRecord, findInstalledOf, findRecord, install, isRecord, type Entry, type LiveLikeHome, type Loose, nextId} from './home.ts';

/** How a change that is answered with 2xx goes wrong, as it was reported of the public service. */
export type Mishap = {
	/**
	- `no effect`: nothing is changed.
	- `late list`: the change is made, and the lists show it later.
	- `duplicate`: an ability of nearly the same name appears, with the old phrases and code, and the real one is uninstalled.
	- `uninstalls`: the change is made, and the ability is uninstalled.
	*/
	readonly kind: 'no effect' | 'late list' | 'duplicate' | 'uninstalls';
	/** The changes that it happens to; by default all for the first two, edits of phrases for `duplicate`, and releases for `uninstalls`. */
	readonly when?: RequestFilter;
	/** For `late list`: how often each list still shows the former state, once by default. */
	readonly lateReads?: number;
};

const isEdit: RequestFilter = request =>
	/\/edit-(?:installed-)?capability\//.test(request.path) &&
	(readJsonObject(request)?.['trigger_words'] !== undefined || request.body.includes('name="trigger_words"'));

const isRelease: RequestFilter = ({path}) => /\/(?:validate\/release-code|enable\/release)\//.test(path);

const isInstallation: RequestFilter = ({path}) => path.includes('/install-capability/');

const isChange: RequestFilter = request => (request.method !== 'GET' || isInstallation(request)) && !request.path.startsWith('/api/sdk/');

const meantBy: Readonly<Record<Mishap['kind'], RequestFilter>> = {
	'no effect': isChange,
	'late list': isChange,
	duplicate: isEdit,
	uninstalls: isRelease,
};

const listNames = ['agents', 'abilities', 'installed'] as const;

type Lists = Readonly<Record<(typeof listNames)[number], Entry[]>>;

/** The mishaps of one service. */
export function createMishaps(home: LiveLikeHome) {
	let mishap: Mishap | undefined;
	let late: {readonly lists: Lists; readonly left: Map<string, number>} | undefined;
	// A change is undone before the next one is begun.
	let last: Promise<unknown> = Promise.resolve();

	const goWrong = async (
		{kind, lateReads = 1}: Mishap,
		request: RecordedRequest,
		operate: () => Answer | Promise<Answer>,
	): Promise<Answer> => {
		const former = copyLists(home);
		const maps = (['ties', 'sources', 'images', 'releases'] as const).map(name => [name, new Map<number, unknown>(home[name])] as const);
		const answer = await operate();
		if ((answer.status ?? 200) >= 300) {
			return answer;
		}

		if (kind === 'no effect') {
			Object.assign(home, former);
			for (const [name, map] of maps) {
				putBack(home[name] as Map<number, unknown>, map);
			}
		} else if (kind === 'late list') {
			late = {lists: former, left: new Map(listNames.map(name => [name, lateReads]))};
		} else {
			const id = Number(abilityOf(former, request)?.['id']);
			const ability = findRecord(home.abilities, id);
			if (ability !== undefined) {
				(kind === 'duplicate' ? duplicate : uninstall)(home, ability, former);
			}
		}

		// An answer that shows the record would tell.
		return request.path.includes('edit-installed') ? jsonAnswer({detail: 'Capability updated'}) : answer;
	};

	return {
		/** Lets changes go wrong from now on; without a mishap none does. */
		goWrong(next?: Mishap): void {
			mishap = next;
			late = undefined;
		},
		shown(name: (typeof listNames)[number]): readonly Entry[] {
			const left = late?.left.get(name) ?? 0;
			late?.left.set(name, left - 1);
			return left > 0 ? late!.lists[name] : home[name];
		},
		async carryOut(request: RecordedRequest, operate: () => Answer | Promise<Answer>): Promise<Answer> {
			const now = mishap;
			if (now === undefined || !isChange(request) || !(now.when ?? meantBy[now.kind])(request)) {
				return operate();
			}

			const answer = last.then(async () => goWrong(now, request, operate));
			last = answer.catch(() => undefined);
			return answer;
		},
	};
}

const copyLists = ({agents, abilities, installed}: LiveLikeHome): Lists => structuredClone({agents, abilities, installed});

function putBack<Key, Value>(map: Map<Key, Value>, entries: ReadonlyMap<Key, Value>): void {
	map.clear();
	for (const [key, value] of entries) {
		map.set(key, value);
	}
}

/** The ability that a change is about: its path has the id of the ability, of an installed one, or of a release. */
function abilityOf({abilities, installed}: Lists, {path}: RecordedRequest): Loose | undefined {
	const id = Number(/\d+/.exec(path)?.[0]);
	const all = abilities.filter(entry => isRecord(entry));
	if (path.includes('installed')) {
		const name = findRecord(installed, id)?.['name'];
		return all.find(ability => ability['name'] === name);
	}

	return path.includes('release')
		? all.find(ability =>
				(Array.isArray(ability['capability_versions']) ? (ability['capability_versions'] as readonly Loose[]) : []).some(
					version => Number(version['id']) === id,
				),
			)
		: findRecord(abilities, id);
}

function duplicate(home: LiveLikeHome, ability: Loose, former: Lists): void {
	const id = nextId(home.abilities);
	const old = findRecord(former.abilities, Number(ability['id'])) ?? ability;
	const copy = abilityRecord(id, nearName(String(old['name'])), String(old['category']), [], false);
	uninstall(home, ability);
	home.abilities.push(Object.assign(copy, {trigger_words: old['trigger_words']}));
	home.sources.set(id, home.sources.get(Number(ability['id'])) ?? []);
	install(home, copy);
}

/** Nearly the same name: one letter in the other case, or without its spaces and hyphens. */
function nearName(name: string): string {
	const bare = name.replaceAll(/[\s_-]/g, '');
	return bare === name ? name.slice(0, 1).toUpperCase() + name.slice(1, -1) + name.slice(-1).toUpperCase() : bare;
}

function uninstall(home: LiveLikeHome, ability: Loose): void {
	const record = findInstalledOf(home, Number(ability['id']));
	ability['is_installed'] = false;
	home.installed.splice(0, home.installed.length, ...home.installed.filter(each => each !== record));
}
