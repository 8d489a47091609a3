import {Type} from 'typebox';
import {version} from '../../platform/version.ts';
import {commonOutput} from './results.ts';
import {closedObject, defineTool, type Tool} from './tool.ts';

export type ServerRules = {
	readonly isReadOnly: boolean;
	readonly isPruneAllowed: boolean;
};

/** Which service the tools work on; nothing is asked of it. */
export const statusTool = ({isReadOnly, isPruneAllowed}: ServerRules): Tool => defineTool({
	name: 'get_status',
	title: 'Get the status of this server',
	description: 'Returns the address of the service that the tools work on, and what this server allows. Both were fixed when it started.',
	isWriting: false,
	input: closedObject({}),
	output: Type.Object({
		base_url: Type.String(),
		read_only: Type.Boolean({description: 'True if the tools that change something are left out.'}),
		prune_allowed: Type.Boolean({description: 'True if plan_state and apply_state take prune.'}),
		version: Type.String({description: 'The version of this server.'}),
		...commonOutput,
	}),
	async run({service}) {
		return {
			output: {
				base_url: service.client.baseAddress, read_only: isReadOnly, prune_allowed: isPruneAllowed, version,
			},
		};
	},
});
