import {type Client} from '../../client/client.ts';

/**
A client that is not there yet: the screens draw first, the code that makes requests loads after, and the bundled
service may still be starting. Each operation waits for it; where it cannot be had, each fails with the reason.

@param baseAddress - what is shown of it meanwhile.
@param prepare - called once, when the first operation asks for it.
@param explain - what is thrown in place of an operation's error, which may know more about it.
*/
export const createDeferredClient = (baseAddress: string, prepare: () => Promise<Client>, explain: (error: unknown) => unknown = error => error): Client => {
	let prepared: Promise<Client> | undefined;
	const ready = async (): Promise<Client> => {
		prepared ??= prepare();
		return prepared;
	};

	const call = async <Result>(operation: (client: Client) => Promise<Result>): Promise<Result> => {
		try {
			return await operation(await ready());
		} catch (error) {
			throw explain(error);
		}
	};

	return {
		baseAddress,
		listAgents: async signal => call(async client => client.listAgents(signal)),
		listAbilities: async signal => call(async client => client.listAbilities(signal)),
		listInstalled: async signal => call(async client => client.listInstalled(signal)),
		getAbility: async (id, signal) => call(async client => client.getAbility(id, signal)),
		setEnabled: async (installed, isEnabled, signal) => call(async client => client.setEnabled(installed, isEnabled, signal)),
		editPhrases: async (installed, phrases) => call(async client => client.editPhrases(installed, phrases)),
		editAgent: async (agent, changes, signal) => call(async client => client.editAgent(agent, changes, signal)),
		uploadAbility: async (upload, options) => call(async client => client.uploadAbility(upload, options)),
		deleteAbility: async (ability, signal) => call(async client => client.deleteAbility(ability, signal)),
		installAbility: async ability => call(async client => client.installAbility(ability)),
		uninstallAbility: async installed => call(async client => client.uninstallAbility(installed)),
		getInstalledByAbility: async (abilityId, signal) => call(async client => client.getInstalledByAbility(abilityId, signal)),
		getTemplateFile: async (abilityId, signal) => call(async client => client.getTemplateFile(abilityId, signal)),
		releaseCode: async (releaseId, release) => call(async client => client.releaseCode(releaseId, release)),
		verifyKey: async signal => call(async client => client.verifyKey(signal)),
		listAgentsBodyStyle: async signal => call(async client => client.listAgentsBodyStyle(signal)),
		checkKey: async signal => call(async client => client.checkKey(signal)),
	};
};
