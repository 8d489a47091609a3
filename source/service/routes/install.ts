import {type FastifyInstance} from 'fastify';
import {tellVersions} from '../http/list-versions.ts';
import {addOperation} from '../http/operation-routes.ts';
import {installedRecord} from '../records.ts';
import {doneAnswer} from '../schema-parts.ts';
import {type Store} from '../store/store.ts';

export const addInstallRoutes = (app: FastifyInstance, {installed}: Store): void => {
	addOperation(app, 'installAbility', () => ({
		answer: installedRecord,
		respond: async ({caller, id, reply}) => tellVersions(reply, await installed.add(caller, id)),
	}));
	addOperation(app, 'uninstallAbility', () => ({
		answer: doneAnswer,
		async respond({caller, id, reply}) {
			const {name} = tellVersions(reply, await installed.remove(caller, id));
			return {detail: `${name} was uninstalled.`};
		},
	}));
};
