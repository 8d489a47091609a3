import {singleTools} from './get-tools.ts';
import {listTools} from './list-tools.ts';
import {stateTools} from './state-tools.ts';
import {statusTool, type ServerRules} from './status-tool.ts';
import {switchTool} from './switch-tool.ts';
import {type Tool} from './tool.ts';

/** All tools, in the order in which clients list them. */
export const createTools = (rules: ServerRules): readonly Tool[] => [
	statusTool(rules),
	...listTools,
	...singleTools,
	switchTool,
	...stateTools(rules.isPruneAllowed),
];
