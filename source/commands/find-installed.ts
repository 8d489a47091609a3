import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {indexNames} from '../interface/name-index.ts';
import type {Ability, InstalledAbility} from '../interface/records.ts';
import {shellWord} from '../settings/sign-in-hint.ts';
import type {Context} from './context.ts';
import {createFinder, notFound} from './find-records.ts';
import {readList} from './read-list.ts';
import type {Service} from './with-service.ts';

const wanted = {resource: 'installed'} as const;

/** Explains why a word finds nothing installed, given the abilities too; `undefined` if they cannot be read. */
const explainNotFound = async (context: Context, service: Service, records: readonly InstalledAbility[], word: string): Promise<SwitchboardError | undefined> => {
	let abilities: readonly Ability[];
	try {
		abilities = await readList(context, service, 'abilities');
	} catch {
		return undefined;
	}

	const byId = abilities.find(({id}) => String(id) === word);
	const [ability, ...others] = byId === undefined ? indexNames(abilities).find(word) : [byId];
	if (ability === undefined || others.length > 0) {
		return notFound(word, indexNames([...records, ...abilities]).findNear(word), wanted);
	}

	const installed = records.find(({name}) => name === ability.name);
	return installed === undefined
		? new SwitchboardError('not-found', `${ability.name} is not installed. Nothing was done.`, {
			nextStep: `To install it, use: switchboard install ${shellWord(word)}`,
		})
		: new SwitchboardError('not-found', `${word} is the id of the ability ${ability.name}; the id of the installed ability is ${installed.id}. Nothing was done.`, {
			nextStep: `Use ${installed.id}, or the name.`,
		});
};

/**
The installed abilities with these names or ids, each once, in the order of the words.

@throws SwitchboardError `ambiguous` or `not-found`, which says how to install an ability that is not installed.
*/
export const findInstalled = async (context: Context, service: Service, records: readonly InstalledAbility[], words: readonly string[]): Promise<readonly InstalledAbility[]> => {
	const find = createFinder(records, wanted);
	const found = new Map<number, InstalledAbility>();
	for (const word of words) {
		try {
			const record = find(word);
			found.set(record.id, record);
		} catch (error) {
			const {kind} = toSwitchboardError(error);
			throw kind === 'not-found' ? await explainNotFound(context, service, records, word) ?? error : error;
		}
	}

	return [...found.values()];
};
