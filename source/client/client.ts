import {SwitchboardError} from '../interface/errors.ts';
import {type Ability, type Agent, type InstalledAbility} from '../interface/records.ts';
import {deleteAbility} from './delete-ability.ts';
import {editAgent, type AgentChanges} from './edit-agent.ts';
import {editPhrases} from './edit-phrases.ts';
import {getAbility} from './get-ability.ts';
import {
	getInstalledByAbility,
	getTemplateFile,
	installAbility,
	releaseCode,
	uninstallAbility,
	type InstalledRelease,
	type Release,
} from './install.ts';
import {createListReader, type ResourceList} from './read-list.ts';
import {createRouter, isUnknown} from './routes.ts';
import {isKeyValid, listAgentsBodyStyle} from './sdk.ts';
import {setEnabled} from './set-enabled.ts';
import {createTransport, type TransportOptions} from './transport.ts';
import {
	uploadAbility,
	type AbilityUpload,
	type UploadOptions,
	type UploadResult,
} from './upload-ability.ts';

export type {RequestLogEntry, TransportOptions} from './transport.ts';
export type {ResourceList} from './read-list.ts';
export type {AgentChanges} from './edit-agent.ts';
export type {AbilityUpload, UploadOptions, UploadResult} from './upload-ability.ts';
export type {InstalledRelease, Release} from './install.ts';

/** Every operation of the interface, for one service and one key. All throw `SwitchboardError`. */
export type Client = {
	readonly baseAddress: string;
	listAgents(signal?: AbortSignal): Promise<ResourceList<Agent>>;
	listAbilities(signal?: AbortSignal): Promise<ResourceList<Ability>>;
	listInstalled(signal?: AbortSignal): Promise<ResourceList<InstalledAbility>>;
	getAbility(id: number, signal?: AbortSignal): Promise<Ability>;
	setEnabled(installed: InstalledAbility, isEnabled: boolean, signal?: AbortSignal): Promise<InstalledAbility>;
	editPhrases(installed: InstalledAbility, phrases: readonly string[]): Promise<InstalledAbility>;
	editAgent(agent: Agent, changes: AgentChanges, signal?: AbortSignal): Promise<Agent>;
	uploadAbility(upload: AbilityUpload, options?: UploadOptions): Promise<UploadResult>;
	deleteAbility(ability: Pick<Ability, 'id' | 'name'>, signal?: AbortSignal): Promise<void>;
	installAbility(ability: Pick<Ability, 'id' | 'name'>): Promise<void>;
	uninstallAbility(installed: Pick<InstalledAbility, 'id' | 'name'>): Promise<void>;
	getInstalledByAbility(abilityId: number, signal?: AbortSignal): Promise<InstalledRelease>;
	getTemplateFile(abilityId: number, signal?: AbortSignal): Promise<Uint8Array>;
	releaseCode(releaseId: number, release: Release): Promise<void>;
	verifyKey(signal?: AbortSignal): Promise<boolean>;
	listAgentsBodyStyle(signal?: AbortSignal): Promise<ResourceList<Agent>>;
	/** Returns where the address is that of a service and the service takes the key; throws what is wrong otherwise. */
	checkKey(signal?: AbortSignal): Promise<void>;
};

/**
@throws SwitchboardError `usage`, `insecure` or `key-refused` where address or key cannot be used at all.
*/
export const createClient = (options: TransportOptions): Client => {
	const router = createRouter(createTransport(options));
	const readList = createListReader(router);

	const listAgents: Client['listAgents'] = async signal => {
		try {
			return await readList('agents', signal);
		} catch (error) {
			if (!isUnknown(error)) {
				throw error;
			}

			try {
				return await listAgentsBodyStyle(router, signal);
			} catch (bodyStyleError) {
				// Where it has no answer either, that of the documented path is what counts.
				throw bodyStyleError instanceof SwitchboardError && bodyStyleError.status === undefined ? bodyStyleError : error;
			}
		}
	};

	const checkKey: Client['checkKey'] = async signal => {
		// Not every service verifies keys; what counts is that the documented list opens.
		let isValid = true;
		try {
			isValid = await isKeyValid(router, signal);
		} catch (error) {
			// A service without that operation may answer it with anything, also with 401: its key is not in the header.
			if (!(error instanceof SwitchboardError) || error.status === undefined) {
				throw error;
			}
		}

		// A refusal there comes with the service's own words on what to do.
		await readList('installed', signal);
		if (!isValid) {
			throw new SwitchboardError('key-refused', `The service refused ${router.transport.keyName()}.`, {nextStep: 'Get a new one in the dashboard under Settings, API Keys.'});
		}
	};

	return {
		baseAddress: router.transport.baseAddress,
		listAgents,
		listAbilities: async signal => readList('abilities', signal),
		listInstalled: async signal => readList('installed', signal),
		getAbility: async (id, signal) => getAbility(router, readList, id, signal),
		setEnabled: async (installed, isEnabled, signal) => setEnabled(router, readList, installed, isEnabled, signal),
		editPhrases: async (installed, phrases) => editPhrases(router, readList, installed, phrases),
		editAgent: async (agent, changes, signal) => editAgent(router, agent, changes, signal),
		uploadAbility: async (upload, uploadOptions) => uploadAbility(router, readList, upload, uploadOptions),
		deleteAbility: async (ability, signal) => deleteAbility(router, readList, ability, signal),
		installAbility: async ability => installAbility(router, readList, ability),
		uninstallAbility: async installed => uninstallAbility(router, readList, installed),
		getInstalledByAbility: async (abilityId, signal) => getInstalledByAbility(router, abilityId, signal),
		getTemplateFile: async (abilityId, signal) => getTemplateFile(router, abilityId, signal),
		releaseCode: async (releaseId, release) => releaseCode(router, releaseId, release),
		verifyKey: async signal => isKeyValid(router, signal),
		listAgentsBodyStyle: async signal => listAgentsBodyStyle(router, signal),
		checkKey,
	};
};
