import {hasValues} from '../../changes/fields.ts';
import type {AbilityChanges} from '../../client/client.ts';
import {unshownFields} from '../../client/edit-ability.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {findLeftBehind} from '../../interface/installed-lookup.ts';
import {findNamesake} from '../../interface/name-index.ts';
import type {Ability} from '../../interface/records.ts';
import {saveChecked, type CheckedSave} from './checked-save.ts';
import {quotedList} from './edits.ts';
import {useServiceSession, type ServiceSession} from './service-session.ts';

const words = {name: 'name', description: 'description', category: 'category', triggers: 'trigger phrases'} as const satisfies Readonly<
	Record<keyof AbilityChanges, string>
>;

type Field = keyof typeof words;

const fieldsIn = (changes: AbilityChanges): readonly Field[] =>
	(Object.keys(words) as readonly Field[]).filter(field => changes[field] !== undefined);

/** Such as “name and description”. */
export const changedText = (changes: AbilityChanges): string =>
	fieldsIn(changes)
		.map(field => words[field])
		.join(' and ');

/** The editable fields as the service returned them; `undefined` for each that it does not show. */
export const originalOf = ({raw, triggerPhrases}: Ability): AbilityChanges => {
	const textOf = (field: string): string | undefined => {
		const value = raw[field];
		return typeof value === 'string' ? value : value === null ? '' : undefined;
	};

	return {
		name: textOf('name'),
		description: textOf('description'),
		category: textOf('category'),
		triggers: Object.hasOwn(raw, 'trigger_words') ? triggerPhrases : undefined,
	};
};

const refuseTakenName = (session: ServiceSession, ability: Ability, {name}: AbilityChanges): void => {
	const other = name === undefined ? undefined : findNamesake(session.records.seen('abilities') ?? [], ability, name);
	if (other !== undefined) {
		throw new SwitchboardError('refused', `The name “${other.name}” is taken by ability ${other.id}.`, {field: 'name'});
	}
};

const abilitySave = (session: ServiceSession, seen: Ability, changes: AbilityChanges, mayLose = false): CheckedSave<'abilities'> => ({
	resource: 'abilities',
	id: seen.id,
	name: seen.name,
	what: `the ${changedText(changes)} of ${seen.name}`,
	shownBy: ['installed'],
	isSaved: ability => hasValues('abilities', ability, changes),
	findConflict(ability) {
		const [before, now] = [originalOf(seen), originalOf(ability)];
		const field = fieldsIn(changes).find(each => now[each] !== undefined && String(now[each]) !== String(before[each]));
		return field && {field, message: `Somebody else changed the ${words[field]} of ${ability.name} in the meantime.`};
	},
	async send(ability) {
		refuseTakenName(session, ability, changes);
		const unshown = mayLose ? [] : unshownFields(ability, changes);
		if (unshown.length > 0) {
			throw new SwitchboardError('not-kept', `The service does not show ${quotedList(unshown)} of ${ability.name}, which may be lost.`);
		}

		return session.records.client.editAbility(ability, changes);
	},
	reverse(before, after) {
		const original = originalOf(before);
		const fields = fieldsIn(changes);
		const former = Object.fromEntries(fields.map(field => [field, original[field]])) as AbilityChanges;
		return fields.some(field => original[field] === undefined)
			? undefined
			: {
					save: abilitySave(session, after, former, mayLose),
					undoneText:
						former.name === undefined
							? `${after.name} has its former ${changedText(former)} again.`
							: `the ability is called ${before.name} again${fields.length > 1 ? ', and the rest is as it was' : ''}.`,
					kept: undefined,
				};
	},
	async insteadAfter({kind, message}) {
		const isAgreed =
			kind === 'not-kept' &&
			(await session.changes.confirm({question: `Change ${seen.name} all the same?`, details: [message], yes: 'change it'}));
		return isAgreed ? abilitySave(session, seen, changes, true) : undefined;
	},
});

/** The write behind the form of an ability, and behind reverting a change of one. */
export const useEditAbility = () => {
	const session = useServiceSession();
	return {
		/**
		Saves changes to an ability that was `seen`, and returns it as the service has it now.

		@param mayLose - true once the person has agreed that fields are lost which the list does not show.
		@returns also the installed record that kept the former name.
		@throws SwitchboardError as `saveChecked` does, or `not-kept` if they have to be asked.
		*/
		async editAbility(seen: Ability, changes: AbilityChanges, mayLose = false) {
			const saved = await saveChecked(session, abilitySave(session, seen, changes, mayLose));
			if (changes.name === undefined) {
				return {saved, left: undefined};
			}

			try {
				await session.records.readAgain('installed');
			} catch {
				// The list says itself that it could not be read.
			}

			return {saved, left: findLeftBehind(session.records.seen('installed') ?? [], session.records.seen('abilities') ?? [], seen)};
		},
	};
};
