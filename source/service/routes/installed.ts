import {isDeepStrictEqual} from 'node:util';
import type {FastifyInstance} from 'fastify';
import * as Type from 'typebox';
import {beyondRights} from '../../interface/key-rights.ts';
import type {Caller} from '../callers.ts';
import {limitsOf} from '../http/authorize.ts';
import {addOperation, addVersions} from '../http/operation-routes.ts';
import {doneAnswer, type InstalledRecord, installedRecord, nullable, checkField, checkTriggerPhrase} from '../records.ts';
import type {Store} from '../store/store.ts';

/**
`enabled` is the documented field. Clients of a service that replaces the whole record send the other fields back as well
(`docs/interface.md`, Changes); such a client read null for a missing value, so null changes nothing.
*/
const editInstalled = Type.Object(
	{
		enabled: Type.Optional(Type.Boolean({description: '`true` enables, `false` disables'})),
		name: Type.Optional(nullable('string', {description: 'May be sent unchanged'})),
		category: Type.Optional(nullable('string', {description: 'May be sent unchanged'})),
		trigger_words: Type.Optional(
			Type.Unsafe<string[] | null>({description: 'New trigger phrases', items: {type: 'string'}, maxItems: 100, type: ['array', 'null']}),
		),
		system_capability: Type.Optional(nullable('boolean')),
		agent_capability: Type.Optional(nullable('boolean')),
	},
	{
		title: 'EditInstalledAbility',
		anyOf: [
			{title: 'documented', required: ['enabled']},
			{
				title: 'also seen',
				description: 'Phrases without a state, which stays as it is',
				required: ['trigger_words'],
				properties: {trigger_words: {type: 'array'}},
			},
		],
	},
);

export function addInstalledOperations(app: FastifyInstance, {installed}: Store): void {
	addOperation(app, 'editInstalled', () => ({
		body: {'application/json': editInstalled},
		answer: installedRecord,
		respond: async ({caller, id, body, reply}) =>
			addVersions(
				reply,
				await installed.change(caller, id, before => {
					refuseOtherChanges(caller, before, body);
					refuseAbilityChanges(before, body);
					return {
						enabled: body.enabled,
						trigger_words: checkTriggerPhrases(before, body),
						system_capability: body.system_capability ?? undefined,
						agent_capability: body.agent_capability ?? undefined,
					};
				}),
			),
	}));
	addOperation(app, 'installAbility', () => ({
		answer: installedRecord,
		respond: async ({caller, id, reply}) => addVersions(reply, await installed.add(caller, id)),
	}));
	addOperation(app, 'uninstallAbility', () => ({
		answer: doneAnswer,
		async respond({caller, id, reply}) {
			const {name} = addVersions(reply, await installed.remove(caller, id));
			return {detail: `${name} was uninstalled.`};
		},
	}));
}

type Edit = Type.Static<typeof editInstalled>;

/**
Refuses other changes by a key that may only switch: beside `enabled` it may send the other fields back as they are.

@throws SwitchboardError `forbidden`
*/
function refuseOtherChanges(caller: Caller, before: InstalledRecord, {enabled, trigger_words: phrases, ...others}: Edit): void {
	const limits = limitsOf(caller);
	const isSame =
		enabled !== undefined &&
		isDeepStrictEqual([...new Set(phrases ?? before.trigger_words)], before.trigger_words) &&
		(Object.keys(others) as ReadonlyArray<keyof typeof others>).every(field => (others[field] ?? before[field]) === before[field]);
	if (limits !== undefined && !isSame) {
		throw beyondRights(limits);
	}
}

/** Refuses changes to name and category, which belong to the ability, rather than dropping them silently. */
function refuseAbilityChanges(before: InstalledRecord, edit: Edit): void {
	for (const field of ['name', 'category'] as const) {
		const isChanged = (edit[field] ?? before[field]) !== before[field];
		checkField(field, isChanged ? 'cannot be changed here' : undefined);
	}
}

/** Checks new phrases; phrases that the record already has are not checked again. */
function checkTriggerPhrases(before: InstalledRecord, edit: Edit): readonly string[] | undefined {
	const phrases = edit.trigger_words?.map(phrase => phrase.trim());
	for (const phrase of phrases ?? []) {
		if (!before.trigger_words.includes(phrase)) {
			checkTriggerPhrase(phrase);
		}
	}

	return phrases && [...new Set(phrases)];
}
