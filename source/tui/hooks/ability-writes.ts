import {type BatchItem, type BatchWrite} from './batch.ts';
import {removeRecord, writeOrLookUp} from './list-updates.ts';
import {seenRecords} from './seen-records.ts';
import {type ServiceSession} from './service-session.ts';
import {abilityKey} from './use-ability.ts';

/** Deletes abilities for everyone. */
export const deletion: BatchWrite = {
	kind: 'delete-ability',
	shownBy: ['abilities', 'installed', 'agents'],
	unknownText: name => `It is not known whether ${name} is deleted.`,
	async write(session, {id, name}) {
		await removeRecord(session, 'abilities', id, async () => session.client.deleteAbility({id, name}));
		session.queryClient.removeQueries({queryKey: abilityKey(id)});
	},
};

const install = async (session: ServiceSession, {id, name}: BatchItem): Promise<void> => {
	const idsBefore = new Set(seenRecords(session, 'installed')?.map(record => record.id));
	await writeOrLookUp(session, 'installed', async () => session.client.installAbility({id, name}), () => {
		// Some services tie the two by name alone.
		const isNew = seenRecords(session, 'installed')?.some(record =>
			!idsBefore.has(record.id) && (record.abilityId === undefined ? record.name === name : record.abilityId === id));
		return isNew ? {result: undefined} : {shows: 'The list of installed abilities does not have it'};
	});
};

/** Installs abilities, if the service can: the path is not documented. */
export const installation: BatchWrite = {
	kind: 'install-ability',
	shownBy: ['installed', 'abilities'],
	unknownText: name => `It is not known whether ${name} is installed.`,
	write: install,
};

/** Uninstalls installed abilities; the abilities themselves stay. */
export const uninstallation: BatchWrite = {
	kind: 'uninstall-ability',
	shownBy: ['installed', 'abilities', 'agents'],
	unknownText: name => `It is not known whether ${name} is still installed.`,
	async write(session, {id, name}) {
		await removeRecord(session, 'installed', id, async () => session.client.uninstallAbility({id, name}));
	},
};
