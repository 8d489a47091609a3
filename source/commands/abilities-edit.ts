import {hasValues} from '../changes/fields.ts';
import type {Noticed} from '../changes/send-changes.ts';
import type {AbilityChanges} from '../client/client.ts';
import {unshownFields} from '../client/abilities.ts';
import type {Category} from '../interface/categories.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {findLeftBehind, installedLookup} from '../interface/installed-lookup.ts';
import {straightenedNotes} from '../interface/names.ts';
import type {Ability} from '../interface/records.ts';
import {setStep} from '../state/plan.ts';
import {reportRecord, sendStep} from './change-items.ts';
import type {Context} from './context.ts';
import {findRecord, readIfShown, readList, refuseTakenName} from './find-records.ts';
import {requireYes} from './input/confirm.ts';
import {readTextOption, standardInput} from './input/read-text.ts';
import {abilityColumns} from './list-command.ts';
import {checkPhrases, parsePhrases} from './options.ts';
import {withService, refuseSteps, type Service} from './with-service.ts';

const fieldWords = {
	name: 'name',
	category: 'category',
	description: 'description',
	trigger_words: 'trigger phrases',
	selected_keys: 'linked keys',
} as const;

type EditOptions = {
	readonly name?: string;
	readonly description?: string;
	readonly category?: Category;
	/** A list, or `false` for none. */
	readonly triggers?: string | false;
};

/** Changes the name, the description, the category or the trigger phrases of an ability; other fields are sent back as they are listed. */
export async function editAbility(context: Context, word: string, options: EditOptions): Promise<void> {
	const changes = await readChanges(context, options);
	const report = async (record: Ability, sentence: string, noticed?: readonly Noticed[]): Promise<void> =>
		reportRecord(context, 'abilities', record, {columns: abilityColumns, sentence, noticed});
	await withService(context, async service => {
		const find = async () => {
			const abilities = await readList(context, service, 'abilities');
			const ability = findRecord(abilities, word, {resource: 'abilities'});
			refuseTakenName('abilities', abilities, ability, changes.name, 'Choose another name.');
			const {triggers} = changes;
			const phrases = triggers && (await checkPhrases(triggers, ability.triggerPhrases));
			return {ability, wanted: differing(ability, {...changes, triggers: phrases})};
		};

		let {ability, wanted} = await find();
		for (const note of straightenedNotes(changes.triggers ?? [], ability.triggerPhrases)) {
			context.note(note);
		}

		await refuseSteps(service.client, [setStep('abilities', ability, changes)]);
		const {name} = ability;
		if (wanted === undefined) {
			await report(ability, `${name} is unchanged.`);
			return;
		}

		const unshown = unshownFields(ability, wanted);
		if (unshown.length > 0 && !context.isSure && !context.isDryRun) {
			const lost = unshown.map(field => fieldWords[field]).join(', ');
			await requireYes(context, `The service does not show what ${name} has of these: ${lost}. Change it anyway and lose them?`, {
				taken: options.description === standardInput ? 'has the description' : undefined,
				ifNo: 'Nothing was changed.',
				report: async () => report(ability, ''),
			});
			// The person may have taken long.
			const now = await find();
			if (now.wanted === undefined || unshownFields(now.ability, now.wanted).join() !== unshown.join() || now.ability.id !== ability.id) {
				throw new SwitchboardError('conflict', `${name} was changed in the meantime. Nothing was done.`, {
					nextStep: 'Run the command again to see what it is now.',
				});
			}

			({ability, wanted} = {...now, wanted: now.wanted});
		}

		const {abilities: listed} = service.lists();
		const {record, noticed} = await sendStep(context, service, setStep('abilities', ability, wanted), 'changed');
		const edited = record as Ability;
		if (context.isDryRun) {
			await report(edited, `Would change ${name}.`);
			return;
		}

		const isReadAgain = service.lists().abilities !== listed;
		const after = await readAfter(context, service, {before: ability, edited, changes: wanted, isReadAgain});
		await report(after, `Changed ${name}${after.name === name ? '' : `, which is called ${after.name} now`}.`, noticed);
	});
}

async function readChanges(context: Context, {name, description, category, triggers}: EditOptions): Promise<AbilityChanges> {
	if ([name, description, category, triggers].every(option => option === undefined)) {
		throw new SwitchboardError('usage', 'Nothing to change.', {
			nextStep: 'Use --name, --description, --category, --triggers or --no-triggers.',
		});
	}

	if (name?.trim() === '') {
		throw new SwitchboardError('usage', 'An ability needs a name.', {nextStep: 'Use: --name NAME', field: 'name'});
	}

	return {
		name: name?.trim(),
		category,
		description: await context.waitFor(async () => readTextOption(context, description, "--description ''")),
		triggers: triggers === undefined ? undefined : parsePhrases(triggers),
	};
}

/** Returns the changes that differ from the list; `undefined` if there are none. */
function differing(ability: Ability, changes: AbilityChanges): AbilityChanges | undefined {
	const fields = (Object.keys(changes) as ReadonlyArray<keyof AbilityChanges>).filter(
		field => changes[field] !== undefined && hasValues('abilities', ability, {[field]: changes[field]}) !== true,
	);
	return fields.length === 0 ? undefined : Object.fromEntries(fields.map(field => [field, changes[field]]));
}

type Edited = {
	readonly before: Ability;
	/** As the answer shows it. */
	readonly edited: Ability;
	readonly changes: AbilityChanges;
	/** True if the list of abilities was read after the edit. */
	readonly isReadAgain: boolean;
};

/** Returns the ability as it is listed after an edit. */
async function readAfter(context: Context, service: Service, edit: Edited): Promise<Ability> {
	const {edited, isReadAgain} = edit;
	const abilities = (isReadAgain ? service.lists().abilities?.records : await readIfShown(context, service, 'abilities')) ?? [];
	const listed = abilities.find(({id}) => id === edited.id);
	if (listed === undefined) {
		context.note('The list of abilities could not be read again, so this was not checked.', 'warning');
	}

	await noteInstalled(context, service, edit, abilities);
	return listed ?? edited;
}

/** Notes values that an installed record has kept although its ability has changed. */
async function noteInstalled(context: Context, service: Service, {before, changes}: Edited, abilities: readonly Ability[]) {
	const {name, triggers: phrases} = changes;
	const installed = name === undefined && phrases === undefined ? [] : ((await readIfShown(context, service, 'installed')) ?? []);
	const left = name === undefined ? undefined : findLeftBehind(installed, abilities, before);
	if (left !== undefined) {
		context.note(
			`The installed ability ${left.id} is still called ${left.name}. A service that ties the two by name takes them for two: look at both in the dashboard.`,
			'warning',
		);
	}

	const record = left ?? installedLookup(installed)(abilities.find(({id}) => id === before.id) ?? before);
	if (phrases !== undefined && record !== undefined && hasValues('installed', record, {triggers: phrases}) === false) {
		context.note(`The installed ability keeps its own trigger phrases. To change them: switchboard installed edit ${record.id}`);
	}
}
