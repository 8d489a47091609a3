import {type Static, Type} from 'typebox';
import {nullableString} from './schema-parts.ts';

/*
The records as the service returns them: every field that `LIVE-SERVICE.md` shows and, beside `id`, the identifier by its name
in `INTERFACE.md`.
*/

const triggerWords = Type.Array(Type.String(), {description: 'Trigger phrases'});
const category = Type.String({description: '`skill`, `brain_skill`, `background_daemon` or `local`'});
const lastUpdated = Type.String({format: 'date-time'});

export const agentRecord = Type.Object({
	id: Type.Integer(),
	personality_id: Type.Integer(),
	name: Type.String(),
	description: Type.String({description: 'The prompt of the agent'}),
	matching_capabilities: Type.Array(Type.Integer(), {description: 'Ids of the abilities tied to the agent'}),
	image: Type.Optional(nullableString({description: 'A data URI'})),
}, {title: 'Agent'});

export type AgentRecord = Static<typeof agentRecord>;

export const abilityRecord = Type.Object({
	id: Type.Integer(),
	capability_id: Type.Integer(),
	name: Type.String(),
	category,
	description: Type.String(),
	trigger_words: triggerWords,
	is_installed: Type.Boolean(),
	is_approved: Type.Boolean(),
	is_published: Type.Boolean(),
	image_file: nullableString(),
	last_updated: lastUpdated,
	capability_versions: Type.Array(Type.Object({
		id: Type.Integer({description: 'Release id'}),
		version: Type.String(),
		is_user_enabled: Type.Boolean({description: 'True for the version in use'}),
	}), {description: 'Newest first'}),
}, {title: 'Ability'});

export type AbilityRecord = Static<typeof abilityRecord>;

const installedFields = {
	id: Type.Integer(),
	installed_cap_id: Type.Integer(),
	capability_id: Type.Integer({description: 'Id of the ability'}),
	name: Type.String(),
	category,
	enabled: Type.Boolean(),
	trigger_words: triggerWords,
	last_updated: lastUpdated,
	image_file: nullableString(),
	default: Type.Boolean(),
	system_capability: Type.Boolean(),
	agent_capability: Type.Boolean(),
	shortcut: Type.Boolean(),
};

export const installedRecord = Type.Object(installedFields, {title: 'InstalledAbility'});

export type InstalledRecord = Static<typeof installedRecord>;

/** The installed record of one ability, with the release in use. */
export const installedReleaseRecord = Type.Object({
	...installedFields,
	release_id: Type.Integer(),
	version: Type.String(),
	is_committed: Type.Boolean(),
}, {title: 'InstalledRelease'});

export type InstalledReleaseRecord = Static<typeof installedReleaseRecord>;
