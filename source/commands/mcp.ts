import type {DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {withService} from './with-service.ts';

export const defineMcp: DefineCommand = (parent, run) =>
	parent
		.command('mcp')
		.description('let an assistant use Switchboard over standard input and output (MCP)')
		.option('--allow-prune', 'let plan and apply switch off abilities that a state does not name')
		.notes(`
The tools list and get agents, abilities and installed abilities, show the
status and the history, switch installed abilities, say something to an agent,
and plan and apply a state.
Profile, address and key are fixed when the server starts. --read-only leaves
out the tools that change or say something; --timeout limits each call. When its
input ends, the server finishes the calls in progress and stops. Prompts that it
replaces are kept (see: switchboard agents restore --help).

To configure a client (switchboard profiles lists the names):
  {
    "mcpServers": {
      "switchboard": {
        "command": "switchboard",
        "args": ["mcp", "--profile", "NAME"]
      }
    }
  }`)
		.examples(
			['switchboard mcp --profile local', 'on the bundled service'],
			['switchboard mcp --read-only', 'without the tools that change something'],
		)
		.action(
			run(
				async (context, {allowPrune = false}: {readonly allowPrune?: boolean}) => {
					// Clients get the progress of their calls.
					const quiet: Context = {
						...context,
						showProgress() {
							/* Not available here. */
						},
					};
					await withService(quiet, async service => {
						const {serveAssistant} = await import('./mcp/serve.ts');
						await serveAssistant(quiet, service, allowPrune);
					});
				},
				{isEndedBySignal: true},
			),
		);
