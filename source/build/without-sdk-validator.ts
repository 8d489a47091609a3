import {type Plugin} from 'esbuild';

/**
The SDK of the Model Context Protocol brings a whole JSON Schema validator, a third of its size, for answers to questions that a server asks
its client. Ours asks none, and checks the arguments of its tools itself (`source/commands/mcp/check-arguments.ts`).
*/
export const withoutSdkValidator: Plugin = {
	name: 'without-sdk-validator',
	setup(bundler) {
		bundler.onLoad({filter: /@modelcontextprotocol[/\\]server[/\\]dist[/\\]shimsNode\.mjs$/}, () => ({
			contents: `export {default as process} from 'node:process';
				export class DefaultJsonSchemaValidator {
					getValidator() {
						throw new Error('This program has no JSON Schema validator.');
					}
				}`,
		}));
	},
};
