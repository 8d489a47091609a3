import {type FastifyInstance} from 'fastify';
import {type Static, Type} from 'typebox';
import {triggerPhraseProblem, refuseField} from '../../interface/names.ts';
import {addOperation} from '../http/operation-routes.ts';
import {type InstalledRecord, installedRecord} from '../records.ts';
import {nullableBoolean, nullableString, nullableStrings} from '../schema-parts.ts';
import {type Store} from '../store/store.ts';

/**
`INTERFACE.md` promises `enabled`. The other fields are those that clients of a service that replaces the record send
back (`LIVE-SERVICE.md`); null is what such a client read where there was nothing, so it changes nothing.
*/
const editInstalled = Type.Object({
	enabled: Type.Boolean({description: '`true` enables, `false` disables'}),
	name: Type.Optional(nullableString({description: 'May come along unchanged'})),
	category: Type.Optional(nullableString({description: 'May come along unchanged'})),
	trigger_words: Type.Optional(nullableStrings(100, {description: 'New trigger phrases'})),
	system_capability: Type.Optional(nullableBoolean()),
	agent_capability: Type.Optional(nullableBoolean()),
}, {title: 'EditInstalledAbility'});

type Edit = Static<typeof editInstalled>;

/** Name and category are the ability's: a changed one is refused rather than lost without a word. */
const refuseChangesOfTheAbility = (before: InstalledRecord, edit: Edit): void => {
	for (const field of ['name', 'category'] as const) {
		const isChanged = (edit[field] ?? before[field]) !== before[field];
		refuseField(field, `The field ${field}`, isChanged ? 'cannot be changed here' : undefined);
	}
};

/** Phrases that were there before are not judged again. */
const checkTriggerPhrases = (before: InstalledRecord, edit: Edit): readonly string[] | undefined => {
	const phrases = edit.trigger_words?.map(phrase => phrase.trim());
	for (const phrase of phrases ?? []) {
		if (!before.trigger_words.includes(phrase)) {
			refuseField('trigger_words', `The field trigger_words is not right: “${phrase}”`, triggerPhraseProblem(phrase));
		}
	}

	return phrases && [...new Set(phrases)];
};

export const addInstalledList = (app: FastifyInstance, store: Store): void => {
	addOperation(app, 'listInstalled', () => ({
		answer: Type.Array(installedRecord),
		respond: async ({caller}) => store.installed.list(caller.accountId),
	}));
};

export const addInstalledRoutes = (app: FastifyInstance, store: Store): void => {
	addOperation(app, 'editInstalled', () => ({
		body: {'application/json': editInstalled},
		answer: installedRecord,
		respond: async ({caller, id, body}) => store.installed.change(caller.accountId, id, before => {
			refuseChangesOfTheAbility(before, body);
			return {
				enabled: body.enabled,
				trigger_words: checkTriggerPhrases(before, body),
				system_capability: body.system_capability ?? undefined,
				agent_capability: body.agent_capability ?? undefined,
			};
		}),
	}));
};
