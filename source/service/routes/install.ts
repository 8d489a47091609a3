import {type FastifyInstance} from 'fastify';
import {addOperation} from '../http/operation-routes.ts';
import {installedRecord, installedReleaseRecord} from '../records.ts';
import {doneAnswer} from '../schema-parts.ts';
import {type Store} from '../store/store.ts';

const addInstall = (app: FastifyInstance, store: Store): void => {
	addOperation(app, 'installAbility', () => ({
		answer: installedRecord,
		respond: async ({caller, id}) => store.installed.add(caller.accountId, id),
	}));
};

const addUninstall = (app: FastifyInstance, store: Store): void => {
	addOperation(app, 'uninstallAbility', () => ({
		answer: doneAnswer,
		async respond({caller, id}) {
			const {name} = await store.installed.remove(caller.accountId, id);
			return {detail: `${name} is no longer installed.`};
		},
	}));
};

const addInstalledByAbility = (app: FastifyInstance, store: Store): void => {
	addOperation(app, 'getInstalledByAbility', () => ({
		answer: installedReleaseRecord,
		respond: async ({caller, id}) => store.installed.get(caller.accountId, id),
	}));
};

export const addInstallRoutes = (app: FastifyInstance, store: Store): void => {
	addInstall(app, store);
	addUninstall(app, store);
	addInstalledByAbility(app, store);
};
