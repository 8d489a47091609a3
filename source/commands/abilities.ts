import {Option} from 'commander';
import {categories, categoryLabel, categoryMeanings, categoryOf, categoryWords, type Category} from '../interface/categories.ts';
import {toSwitchboardError} from '../interface/errors.ts';
import {installedLookup, newestChange, stateWord} from '../interface/installed-lookup.ts';
import {toPublicRecord, type Ability, type AbilityVersion} from '../interface/records.ts';
import {later, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {readAndFind, readIfShown} from './find-records.ts';
import type {Column} from './output/lay-table.ts';
import {addTableOptions, chosenFormat, printFields, printRows, type Field, type TableOptions} from './output/table.ts';
import {withService, type Service} from './with-service.ts';
import {dryRunOption, wrongChoice} from './options.ts';
import {defineDeleteAbilities} from './removal.ts';
import {abilityColumns, changedTime, defineListCommand, filterOption, listRecords, printedStateTone} from './list-command.ts';

/** Returns the ability with this id, or with this name, whose id is taken from the list. */
export async function getAbility(context: Context, service: Service, word: string): Promise<Ability> {
	if (/^(?:0|[1-9]\d{0,14})$/.test(word)) {
		try {
			context.showProgress(`Reading the ability ${word} …`);
			return await service.client.getAbility(Number(word), context.readSignal);
		} catch (error) {
			if (toSwitchboardError(error).kind !== 'not-found') {
				throw error;
			}

			// Digits may also be a name.
		}
	}

	const {id} = await readAndFind(context, service, word, {resource: 'abilities', isToChange: false});
	context.showProgress(`Reading the ability ${word} …`);
	return service.client.getAbility(id, context.readSignal);
}

const yesOrNo = (value: boolean | undefined): string | undefined => (value === undefined ? undefined : value ? 'yes' : 'no');

/** Returns the installed record of an ability and the names of its agents, as far as the service shows them. */
async function readUse(context: Context, service: Service, ability: Ability) {
	const [installed, agents] = await Promise.all([readIfShown(context, service, 'installed'), readIfShown(context, service, 'agents')]);
	return {
		installed: installed === undefined ? undefined : installedLookup(installed)(ability),
		agents: agents?.every(({abilityIds}) => abilityIds !== undefined)
			? agents.filter(({abilityIds}) => abilityIds!.includes(ability.id))
			: undefined,
	};
}

const fieldsOf = (ability: Ability, {installed, agents}: Awaited<ReturnType<typeof readUse>>): readonly Field[] => [
	['id', String(ability.id)],
	['name', ability.name],
	['category', ability.category],
	['installed', yesOrNo(installed === undefined ? ability.isInstalled : true)],
	['state', installed && stateWord(installed.isEnabled), printedStateTone(installed?.isEnabled)],
	['agents', agents && (agents.map(({name}) => name).join(', ') || 'none')],
	['triggers', ability.triggerPhrases.join(', ')],
	['versions', ability.versions.map(each => `${each.version}${each.isEnabled ? ' (in use)' : isDraft(each) ? ' (draft)' : ''}`).join(', ')],
	['changed', changedTime({changedAt: newestChange(ability, installed)})],
	['description', ability.description],
];

const defineGetAbility: DefineCommand = (parent, run) =>
	parent
		.command('get')
		.description('show an ability')
		.argument('<ability>', 'an id, or a name in any case')
		.examples(['switchboard abilities get 8', 'by id'], ['switchboard abilities get pantry --json', 'by name, as the service returned it'])
		.action(
			run(async (context, word: string) => {
				const {ability, use} = await withService(context, async service => {
					const found = await getAbility(context, service, word);
					return {ability: found, use: context.options.isJson ? undefined : await readUse(context, service, found)};
				});
				if (use === undefined) {
					await context.printJson(toPublicRecord('abilities', ability));
				} else {
					printFields(context, fieldsOf(ability, use));
				}
			}),
		);

function parseCategory(text: string): Category {
	const category = categoryOf(text);
	if (category === undefined) {
		throw wrongChoice(
			'--category',
			text,
			categories.map(known => categoryLabel(known)),
			categoryWords,
		);
	}

	return category;
}

const categoryHelp = categories.map(category => `${categoryLabel(category)}: ${categoryMeanings[category]}`).join('; ');

const categoryOption = (description: string): Option =>
	new Option('--category <category>', description).choices(categories.map(known => categoryLabel(known))).argParser(parseCategory);

const defineUploadAbility: DefineCommand = (parent, run) =>
	parent
		.command('upload')
		.description('upload an ability from a folder or a zip file, after checking it')
		.argument(
			'<folder|zip>',
			'has __init__.py and main.py (a daemon: background.py); its config.json may give the name and the trigger phrases',
		)
		.option('--name <name>', 'its name (default: from config.json, or the name of the folder)')
		.option('--description <text>', 'what it does, or “-” for standard input (default: none)')
		.addOption(categoryOption(`${categoryHelp} (default: skill, or daemon if there is background.py but no main.py)`))
		.option('--triggers <list>', 'the phrases that start it, separated by commas (default: from config.json)')
		.option('--image <file>', 'its image, PNG or JPEG (default: none)')
		.option('--agent <agent>', 'give it to this agent: an id, or a name in any case (default: no agent)')
		.option('--yes', 'do not ask if an ability with nearly the same name exists')
		.option(...dryRunOption)
		.examples(
			['switchboard abilities upload ./pantry', 'with the name and triggers of its config.json'],
			['switchboard abilities upload ./pantry --triggers "pantry list,what is there"', 'with trigger phrases of your own'],
			['switchboard abilities upload pantry.zip --agent Hearth --dry-run', 'only check it'],
		)
		.action(run(later(async () => (await import('./abilities-upload.ts')).uploadAbility)));

const definePushAbilities: DefineCommand = (parent, run) =>
	parent
		.command('push')
		.description('create abilities from folders, or release a new version of those that exist and differ')
		.argument(
			'<folder...>',
			'each has __init__.py and main.py (a daemon: background.py); the ability is the one that its .openhome.json names, else the one with the name in its config.json, or of the folder',
		)
		.addOption(new Option('--ability <ability>', 'the ability that the folder is for: an id, or a name in any case').conflicts('name'))
		.option('--name <name>', 'the name of the ability, for a folder whose .openhome.json names none')
		.option('--create', 'create an ability even if one with nearly the same name exists, or if .openhome.json names one that is not listed')
		.option('--message <text>', 'what the new versions change (default: the names of the files that differ)')
		.option('--draft', 'save the code without releasing it; the ability has to exist')
		.option('--description <text>', 'of a new ability: what it does, or “-” for standard input')
		.addOption(categoryOption(`of a new ability: ${categoryHelp}`))
		.option('--triggers <list>', 'of a new ability: the phrases that start it, separated by commas')
		.option('--image <file>', 'of a new ability: its image, PNG or JPEG')
		.option('--agent <agent>', 'give a new ability to this agent: an id, or a name in any case')
		.option('--yes', 'do not ask before an ability is created, or a draft is replaced that was not saved from here')
		.option(...dryRunOption)
		.examples(
			['switchboard abilities push ./pantry', 'create it, or release a new version if it differs'],
			['switchboard abilities push ./pantry --ability 8', 'to this one, whatever the folder is called'],
			['switchboard abilities push ./abilities/* --message "Say please"', 'several; nothing is sent unless all could be compared'],
			['switchboard abilities push ./pantry --draft', 'save it as a draft, which is not used'],
			['switchboard abilities push ./pantry --dry-run', 'what it would do'],
		)
		.action(run(later(async () => (await import('./abilities-push.ts')).pushAbilities)));

const defineEditAbility: DefineCommand = (parent, run) =>
	parent
		.command('edit')
		.description('change the name, the description, the category or the trigger phrases of an ability; the rest stays as it is')
		.argument('<ability>', 'an id, or a name in any case')
		.option('--name <name>', 'its new name')
		.option('--description <text>', 'its new description, or “-” for standard input')
		.addOption(categoryOption(categoryHelp))
		.option('--triggers <list>', 'its new trigger phrases, separated by commas')
		.option('--no-triggers', 'remove all its trigger phrases')
		.option('--yes', 'change it even if the service does not show everything that it may lose')
		.option(...dryRunOption)
		.notes(`
The phrases are those of the ability itself. An installed ability has its own:
switchboard installed edit`)
		.examples(
			['switchboard abilities edit pantry --name larder', 'rename it'],
			['switchboard abilities edit 8 --triggers "pantry list,what is there"', 'replace its trigger phrases'],
			['switchboard abilities edit pantry --description - < about.txt', 'replace its description'],
		)
		.exitCodes(['4', 'not found, or the service does not offer it'])
		.action(run(later(async () => (await import('./abilities-edit.ts')).editAbility)));

const pullAbility = later(async () => (await import('./abilities-pull.ts')).pullAbility);

const definePullAbility: DefineCommand = (parent, run) =>
	parent
		.command('pull')
		.description('write the source of an ability to a folder')
		.argument('<ability>', 'an id, or a name in any case')
		.argument('[folder]', 'the folder to write (default: one with the name of the ability)')
		.option('--version <version>', 'the source of this version (default: the one in use)')
		.option('--force', 'overwrite files that differ; files that are not part of the ability stay')
		.option('--hidden', 'also write files whose names begin with a dot; keys and virtual environments stay out')
		.option(...dryRunOption)
		.notes(`
The file .openhome.json in the folder then says which ability it is: “push”
finds it by that, whatever the folder is called.`)
		.examples(
			['switchboard abilities pull pantry', 'into the folder pantry'],
			['switchboard abilities pull 8 ./abilities/pantry', 'into another folder'],
			['switchboard abilities pull pantry --version 1 ./earlier', 'an earlier version, where the service offers it'],
			['switchboard abilities pull pantry --dry-run', 'the files that it would write'],
		)
		.action(run(pullAbility, {isLocal: true}));

const writeNewAbility = later(async () => (await import('./abilities-new.ts')).writeNewAbility);

const defineNewAbility: DefineCommand = (parent, run) =>
	parent
		.command('new')
		.description('write a small ability to a new folder, to start from')
		.argument('<folder>', 'the folder to write, which must be empty or missing')
		.addOption(categoryOption(`${categoryHelp} (default: skill)`))
		.option(...dryRunOption)
		.examples(
			['switchboard abilities new ./night-lamp', 'a skill that repeats what is said'],
			['switchboard abilities new ./owl-watch --category daemon', 'one that runs all session'],
		)
		.action(run(writeNewAbility, {isLocal: true}));

const defineCheckAbilities: DefineCommand = (parent, run) =>
	parent
		.command('check')
		.description('check folders of abilities for code that the service refuses, without running or sending anything')
		.argument('<folder...>', 'the folder of an ability, or a zip of it')
		.notes(`
Errors are forbidden imports, access to attributes such as __class__ and missing
files. Warnings are rules of the community's validator; the service may not have
them. An ability without findings may still not work.`)
		.examples(
			['switchboard abilities check ./pantry', 'a line for each finding: FILE:LINE: error or warning: what'],
			['switchboard abilities check ./abilities/* --json', 'several, as JSON'],
		)
		.exitCodes(['0', 'no errors'], ['2', 'an error, or the folder cannot be read'], ['6', 'the same in some of several folders'])
		.action(run(later(async () => (await import('./abilities-check.ts')).checkAbilities)));

const isDraft = ({isCommitted}: AbilityVersion): boolean | undefined => (isCommitted === undefined ? undefined : !isCommitted);

const versionColumns: ReadonlyArray<Column<AbilityVersion>> = [
	{title: 'VERSION', text: ({version}) => version},
	{title: 'IN USE', name: 'in_use', text: ({isEnabled}) => yesOrNo(isEnabled) ?? '?', value: ({isEnabled = null}) => isEnabled},
	{title: 'DRAFT', name: 'draft', text: version => yesOrNo(isDraft(version)) ?? '?', value: version => isDraft(version) ?? null},
];

/** Returns the versions of an ability whose record shows none. */
async function readReleases({readSignal}: Context, {client}: Service, {id}: Ability): Promise<readonly AbilityVersion[]> {
	try {
		return await client.listReleases(id, readSignal);
	} catch (error) {
		if (toSwitchboardError(error).kind !== 'not-found') {
			throw error;
		}

		return [];
	}
}

const defineVersions: DefineCommand = (parent, run) =>
	addTableOptions(parent.command('versions'), versionColumns)
		.description('list the versions of an ability')
		.argument('<ability>', 'an id, or a name in any case')
		.examples(
			['switchboard abilities versions pantry', 'each version, and whether it is in use, or a draft'],
			['switchboard abilities pull pantry --version 1 ./earlier', 'the source of one, where the service offers it'],
		)
		.action(
			run(async (context, word: string, options: TableOptions) => {
				chosenFormat(context.options, options);
				const {name, versions} = await withService(context, async service => {
					const ability = await getAbility(context, service, word);
					return {...ability, versions: ability.versions.length > 0 ? ability.versions : await readReleases(context, service, ability)};
				});
				const json = versions.map(version => ({
					version: version.version,
					in_use: version.isEnabled ?? null,
					draft: isDraft(version) ?? null,
				}));
				await printRows(context, versionColumns, versions, {ifEmpty: `The service shows no versions of ${name}.`, json, options});
			}),
		);

const defineRestoreAbility: DefineCommand = (parent, run) =>
	parent
		.command('restore')
		.description('use an earlier version again')
		.argument('<ability>', 'an id, or a name in any case')
		.requiredOption('--version <version>', 'the version, as “abilities versions” lists it')
		.option('--yes', 'skip the confirmation')
		.option(...dryRunOption)
		.notes(`
Where the service cannot use a version again by itself, its source is released
as the next version. A draft may be replaced then, and cannot be brought back.`)
		.examples(
			['switchboard abilities restore pantry --version 1', 'show what changes, ask, then use it'],
			['switchboard abilities restore pantry --version 1 --yes', 'without a question'],
		)
		.exitCodes(['4', 'not found, or the service does not offer earlier versions'])
		.action(run(later(async () => (await import('./abilities-restore.ts')).restoreAbility)));

const defineDiffAbility: DefineCommand = (parent, run) =>
	parent
		.command('diff')
		.description('show how a folder differs from the source of an ability')
		.argument('<ability>', 'an id, or a name in any case')
		.argument('<folder>', 'the folder that would be pushed')
		.examples(
			['switchboard abilities diff pantry ./pantry', 'from the service to the folder'],
			['switchboard abilities diff pantry ./pantry --json', 'the names of the files that differ'],
			['switchboard abilities diff pantry ./pantry | patch -R -p1 -d ./pantry', 'make the texts of the folder those of the service'],
		)
		.exitCodes(['0', 'no difference'], ['10', 'a difference'])
		.action(run(later(async () => (await import('./abilities-pull.ts')).diffAbility)));

export const defineAbilities: DefineCommand = (parent, run) => {
	const abilities = defineListCommand(parent, run, {
		name: 'abilities',
		description: 'list abilities',
		examples: [
			['switchboard abilities', 'with id, category, trigger phrases, and whether it is installed'],
			['switchboard abilities | cut -f1,2', 'ids and names only'],
			['switchboard abilities get pantry', 'one ability with all its fields'],
		],
		columns: abilityColumns,
		options: [filterOption],
		list: listRecords('abilities', abilityColumns, 'There are no abilities.'),
	});
	defineGetAbility(abilities, run);
	defineNewAbility(abilities, run);
	defineCheckAbilities(abilities, run);
	defineUploadAbility(abilities, run);
	definePushAbilities(abilities, run);
	defineEditAbility(abilities, run);
	definePullAbility(abilities, run);
	defineDiffAbility(abilities, run);
	defineVersions(abilities, run);
	defineRestoreAbility(abilities, run);
	defineDeleteAbilities(abilities, run);
	return abilities;
};
