import type {HelpTopic} from './topic.ts';

export const json: HelpTopic = [
	'With --json a command prints one JSON value on standard output and nothing else:',
	{
		items: [
			['agents', 'array of records, each with “personality_id”'],
			['agents edit', 'the record'],
			['abilities', 'array of records, each with “capability_id”'],
			['abilities get', 'the record'],
			['abilities upload', '{"capability_id", "name", "detail"}'],
			['abilities delete', '[{"capability_id", "name", "deleted"}]'],
			['installed', 'array of records, each with “installed_cap_id” and “enabled”'],
			['installed edit', '[{"installed_cap_id", "name", "trigger_words", "changed"}]'],
			['enable, disable, toggle', '[{"installed_cap_id", "name", "enabled", "changed"}]'],
			['install', '[{"capability_id", "name", "installed", "changed"}]'],
			['uninstall', '[{"installed_cap_id", "name", "installed", "changed"}]'],
			['login, logout', '{"profile", "base_url"}'],
			['profiles [use|remove]', '[{"name", "base_url", "current", "key_last4"}]'],
			['keys create', '{"key", "id", "name", "account"}'],
			['keys list', '[{"id", "name", "account", "created_at"}]'],
			['keys revoke', '[{"id", "revoked"}]'],
			['version', '{"version"}'],
		],
	},
	'Records stand as the service returned them; the ids named above are always there, as integers. “enabled” is true, false, or null where the service does not show it.',
	'An array has an entry for each item. A failed one carries {"error": {"kind", "message"}}. “changed” or “deleted” is null where the answer was lost and the change may still arrive.',
	'With --dry-run it is what would be, in the same shape.',
	'Errors: switchboard help exit-codes',
];
