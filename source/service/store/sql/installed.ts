import {type Installed} from '../store.ts';
import {changeInstalled} from './change-installed.ts';
import {type Engine} from './engine.ts';
import {createGatheredWrites} from './gathered-writes.ts';
import {removeIds} from './ids.ts';
import {insertInstalled} from './insert-installed.ts';
import {getAbility} from './read-abilities.ts';
import {getInstalled, getInstalledRelease, listInstalled} from './read-installed.ts';
import {readList} from './read-list.ts';
import {accountOf, writeAccount} from './write-account.ts';

export const installedVerbs = (engine: Engine, quotaBytes: number | undefined): Installed => {
	const change = createGatheredWrites(engine, quotaBytes, changeInstalled);
	return {
		list: async accountId => readList(engine, accountId, 'installed', listInstalled),
		get: async (accountId, id) => engine.read(async transaction => getInstalledRelease(transaction, accountId, id)),
		add: async (writer, abilityId) => writeAccount(engine, accountOf(writer, quotaBytes), async (transaction, accountId) => {
			const ability = await getAbility(transaction, accountId, abilityId);
			if (!ability.is_installed) {
				await insertInstalled(transaction, abilityId, {triggerPhrases: ability.trigger_words, isEnabled: true, changedAt: new Date()});
			}

			return getInstalled(transaction, accountId, abilityId);
		}),
		change: async (writer, id, decide) => change(writer, {id, decide}),
		remove: async (writer, id) => writeAccount(engine, accountOf(writer), async (transaction, accountId) => {
			const installed = await getInstalled(transaction, accountId, id);
			await transaction.deleteFrom('installed').where('id', '=', installed.id).execute();
			await removeIds(transaction, [installed.id]);
			return installed;
		}),
	};
};
