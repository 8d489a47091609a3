import {Option} from 'commander';
import type {UploadResult} from '../client/client.ts';
import type {PackedAbility} from '../bundle/pack-ability.ts';
import {
	categories,
	categoryLabel,
	categoryMeanings,
	categoryOf,
	categoryWords,
	type Category,
} from '../interface/categories.ts';
import {foldName} from '../interface/fold-name.ts';
import {splitTriggerPhrases} from '../interface/names.ts';
import {shellWord} from '../settings/sign-in-hint.ts';
import {examples, type DefineCommand} from './command.ts';
import {isForPerson, type Context} from './context.ts';
import {
	dryRunOption,
	noteDryRun,
	startChange,
	type DryRunOption,
} from './dry-run.ts';
import {readAndFind} from './find-records.ts';
import {readTextOption} from './input/read-text.ts';
import {sendUpload} from './send-upload.ts';
import {uploadOf, warnOfSilentSkill} from './source/upload-of.ts';
import {withService} from './with-service.ts';
import {wrongChoice} from './wrong-value.ts';

type UploadCommandOptions = DryRunOption & {
	readonly name?: string;
	readonly description?: string;
	readonly category?: Category;
	readonly triggers?: string;
	readonly image?: string;
	readonly agent?: string;
};

const pack = async (context: Context, path: string, {name, description, category, triggers, image}: UploadCommandOptions): Promise<PackedAbility> => {
	// Other commands need no zip library.
	const {packAbility} = await import('../bundle/pack-ability.ts');
	return packAbility(path, {
		name,
		description: await readTextOption(context, description, '--description \'\''),
		category,
		triggerPhrases: triggers === undefined ? undefined : splitTriggerPhrases(triggers),
		imagePath: image,
	});
};

const parseCategory = (text: string): Category => {
	const category = categoryOf(text);
	if (category === undefined) {
		throw wrongChoice('--category', text, categories.map(known => categoryLabel(known)), categoryWords);
	}

	return category;
};

const categoryHelp = categories.map(category => `${categoryLabel(category)}: ${categoryMeanings[category]}`).join('; ');

const report = async (context: Context, {name, sizeBytes}: PackedAbility, {capabilityId, detail}: UploadResult): Promise<void> => {
	if (context.options.isJson) {
		await context.printJson({capability_id: capabilityId ?? null, name, detail});
	} else if (isForPerson(context)) {
		const id = capabilityId === undefined ? '' : `, id ${capabilityId}`;
		context.print(`${context.isDryRun ? 'Would upload' : 'Uploaded'} ${name}${id} (${sizeBytes} bytes). ${detail}`.trim());
	} else {
		context.print([capabilityId ?? '', name, detail].join('\t'));
	}

	noteDryRun(context);
};

/** How to release the files as a new version of the ability that has the name. Pushing takes the name that they give themselves. */
const pushInstead = async (path: string, {name}: PackedAbility): Promise<string> => {
	const {readDraft} = await import('../bundle/read-draft.ts');
	const {draft} = await readDraft(path);
	const rename = foldName(draft.name) === foldName(name) ? '' : `, name it ${name} as the unique_name in config.json, then run`;
	return `To release a new version of it${rename}: switchboard abilities push ${shellWord(path)}`;
};

const upload = async (given: Context, path: string, options: UploadCommandOptions): Promise<void> => {
	const context = startChange(given, options);
	const packed = await pack(context, path, options);
	if (packed.leftOut.length > 0) {
		context.note(`Skipped: ${packed.leftOut.join(', ')}`);
	}

	warnOfSilentSkill(context, packed, 'Add some with --triggers.');
	const result = await withService(context, async service => {
		const agent = options.agent === undefined ? undefined : await readAndFind(context, service, options.agent, {resource: 'agents'});
		return context.isDryRun ? {capabilityId: undefined, detail: ''} : sendUpload(context, service, {...uploadOf(packed), agentId: agent?.id}, async () => pushInstead(path, packed));
	});
	await report(context, packed, result);
};

export const defineUploadAbility: DefineCommand = (parent, run) => parent
	.command('upload')
	.description('upload an ability from a folder or a zip file, after checking it')
	.argument('<folder|zip>', 'contains main.py and __init__.py; its config.json gives the default name and triggers')
	.option('--name <name>', 'its name: letters and digits, starting with a letter')
	.option('--description <text>', 'what it does, or “-” for standard input')
	.addOption(new Option('--category <category>', categoryHelp).choices(categoryWords).argParser(parseCategory).default('skill'))
	.option('--triggers <list>', 'the phrases that start it, separated by commas')
	.option('--image <file>', 'its image, PNG or JPEG')
	.option('--agent <agent>', 'give it to this agent: an id, or a name in any case')
	.option(...dryRunOption)
	.addHelpText('after', examples(
		['switchboard abilities upload ./pantry', 'with the name and triggers of its config.json'],
		['switchboard abilities upload ./pantry --name pantry --triggers "what is in the pantry,pantry list"', 'with your own name and triggers'],
		['switchboard enable "$(switchboard abilities upload ./pantry --json | jq -r .name)"', 'and switch it on'],
	))
	.action(run(upload));
