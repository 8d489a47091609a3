import {type Client} from '../../client/client.ts';

/**
A client that is not there yet: the screens draw first, the code that makes requests loads after, and the bundled
service may still be starting. Each operation waits for it; where it cannot be had, each fails with the reason.

@param baseAddress - what is shown of it meanwhile.
@param prepare - called once, when the first operation asks for it.
*/
export const createDeferredClient = (baseAddress: string, prepare: () => Promise<Client>): Client => {
	let prepared: Promise<Client> | undefined;
	const ready = async (): Promise<Client> => {
		prepared ??= prepare();
		return prepared;
	};

	return {
		baseAddress,
		listAgents: async signal => (await ready()).listAgents(signal),
		listAbilities: async signal => (await ready()).listAbilities(signal),
		listInstalled: async signal => (await ready()).listInstalled(signal),
		getAbility: async (id, signal) => (await ready()).getAbility(id, signal),
		setEnabled: async (installed, isEnabled, signal) => (await ready()).setEnabled(installed, isEnabled, signal),
		editPhrases: async (installed, phrases) => (await ready()).editPhrases(installed, phrases),
		editAgent: async (agent, changes, signal) => (await ready()).editAgent(agent, changes, signal),
		uploadAbility: async (upload, options) => (await ready()).uploadAbility(upload, options),
		deleteAbility: async (ability, signal) => (await ready()).deleteAbility(ability, signal),
		installAbility: async ability => (await ready()).installAbility(ability),
		uninstallAbility: async installed => (await ready()).uninstallAbility(installed),
		getInstalledByAbility: async (abilityId, signal) => (await ready()).getInstalledByAbility(abilityId, signal),
		getTemplateFile: async (abilityId, signal) => (await ready()).getTemplateFile(abilityId, signal),
		releaseCode: async (releaseId, release) => (await ready()).releaseCode(releaseId, release),
		verifyKey: async signal => (await ready()).verifyKey(signal),
		listAgentsBodyStyle: async signal => (await ready()).listAgentsBodyStyle(signal),
		checkKey: async signal => (await ready()).checkKey(signal),
	};
};
