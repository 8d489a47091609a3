import {type Ability, type InstalledAbility} from '../interface/records.ts';
import {type Connection} from './connection.ts';
import {callForRecord} from './explain-not-found.ts';

/** Installs an ability for the caller. Not every service can: the operation is not documented. */
export const installAbility = async (connection: Connection, {id, name}: Pick<Ability, 'id' | 'name'>, signal?: AbortSignal): Promise<void> => {
	await callForRecord(connection, 'installAbility', {
		resource: 'abilities', id, name, verb: 'install', signal,
	});
};

/** Uninstalls an ability; the ability itself stays. Not every service can: the operation is not documented. */
export const uninstallAbility = async (connection: Connection, {id, name}: Pick<InstalledAbility, 'id' | 'name'>, signal?: AbortSignal): Promise<void> => {
	await callForRecord(connection, 'uninstallAbility', {
		resource: 'installed', id, name, verb: 'uninstall', signal,
	});
};
