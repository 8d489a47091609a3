import {type FastifyInstance} from 'fastify';
import {addOperation} from '../http/operation-routes.ts';
import {installedRecord, installedReleaseRecord} from '../records.ts';
import {doneAnswer} from '../schema-parts.ts';
import {findAbility} from '../store/sqlite/abilities.ts';
import {deleteInstalled, findInstalled, insertInstalled} from '../store/sqlite/installed.ts';
import {findCurrentRelease} from '../store/sqlite/releases.ts';
import {type Database} from '../store/sqlite/store.ts';
import {orNotFound} from './not-found.ts';

const addInstall = (app: FastifyInstance, database: Database): void => {
	addOperation(app, 'installAbility', () => ({
		answer: installedRecord,
		respond: async ({caller: {accountId}, id}) => database.transaction().execute(async transaction => {
			const ability = orNotFound(await findAbility(transaction, accountId, id), 'ability', id);
			// Asked for twice, it is installed once, and stays as it was set meanwhile.
			if (!ability.is_installed) {
				await insertInstalled(transaction, id, {triggerPhrases: ability.trigger_words, isEnabled: true, changedAt: new Date()});
			}

			return orNotFound(await findInstalled(transaction, accountId, id), 'installed ability', id);
		}),
	}));
};

const addUninstall = (app: FastifyInstance, database: Database): void => {
	addOperation(app, 'uninstallAbility', () => ({
		answer: doneAnswer,
		respond: async ({caller, id}) => database.transaction().execute(async transaction => {
			const installed = orNotFound(await findInstalled(transaction, caller.accountId, id), 'installed ability', id);
			await deleteInstalled(transaction, installed.id);
			return {detail: `${installed.name} is no longer installed.`};
		}),
	}));
};

const addInstalledByAbility = (app: FastifyInstance, database: Database): void => {
	addOperation(app, 'getInstalledByAbility', () => ({
		answer: installedReleaseRecord,
		async respond({caller, id}) {
			const installed = orNotFound(await findInstalled(database, caller.accountId, id), 'installed ability', id);
			const release = await findCurrentRelease(database, installed.capability_id);
			return {
				...installed,
				release_id: release.id,
				version: String(release.version),
				is_committed: release.isCommitted,
			};
		},
	}));
};

export const addInstallRoutes = (app: FastifyInstance, database: Database): void => {
	addInstall(app, database);
	addUninstall(app, database);
	addInstalledByAbility(app, database);
};
