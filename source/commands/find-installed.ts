import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import type {InstalledAbility} from '../interface/records.ts';
import type {Context} from './context.ts';
import {findRecord, findRecords} from './find-records.ts';
import {readList} from './read-list.ts';
import type {Service} from './with-service.ts';

const wanted = {what: 'installed ability', listCommand: 'switchboard installed', isToChange: true} as const;

/** Why nothing that is installed is found by a word, where it stands for an ability; `undefined` where it does not, or that cannot be read. */
const explain = async (context: Context, service: Service, records: readonly InstalledAbility[], word: string): Promise<SwitchboardError | undefined> => {
	try {
		const ability = findRecord(await readList(context, service, 'abilities'), word, wanted);
		const installed = records.find(({name}) => name === ability.name);
		return installed === undefined
			? new SwitchboardError('not-found', `${ability.name} is not installed. Nothing was done.`, {
				nextStep: 'To install it: open switchboard, press 2 for Abilities, go to it and press i.',
			})
			: new SwitchboardError('not-found', `${word} is the id of the ability ${ability.name}, which as an installed one has the id ${installed.id}. Nothing was done.`, {
				nextStep: `Give ${installed.id}, or the name.`,
			});
	} catch {
		return undefined;
	}
};

/**
The installed abilities that words mean, each once, in the order of the words.

@throws SwitchboardError `not-found` where one of them means none: of an ability that is there and not installed it says
how to install it; or `ambiguous`.
*/
export const findInstalled = async (context: Context, service: Service, records: readonly InstalledAbility[], words: readonly string[]): Promise<readonly InstalledAbility[]> => {
	for (const word of words) {
		try {
			findRecord(records, word, wanted);
		} catch (error) {
			const {kind} = toSwitchboardError(error);
			throw kind === 'not-found' ? await explain(context, service, records, word) ?? error : error;
		}
	}

	return findRecords(records, words, wanted);
};
