import process from 'node:process';
import {type Command, Option} from 'commander';
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
import {splitTriggerPhrases} from '../interface/names.ts';
import {examples, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {findRecord} from './find-records.ts';
import {readTextOption} from './input/read-text.ts';
import {readList} from './read-list.ts';
import {sendUpload} from './send-upload.ts';
import {refuseReadOnly, withService, type Service} from './with-service.ts';
import {anyOf, wrongValue} from './wrong-value.ts';

type UploadCommandOptions = {
	readonly name?: string;
	readonly description?: string;
	readonly category?: Category;
	readonly triggers?: string;
	readonly image?: string;
	readonly agent?: string;
};

const pack = async (path: string, {name, description, category, triggers, image}: UploadCommandOptions): Promise<PackedAbility> => {
	// Only now: other commands need no zip library.
	const {packAbility} = await import('../bundle/pack-ability.ts');
	return packAbility(path, {
		name,
		description: await readTextOption(description),
		category,
		triggerPhrases: triggers === undefined ? undefined : splitTriggerPhrases(triggers),
		imagePath: image,
	});
};

const parseCategory = (text: string): Category => {
	const category = categoryOf(text);
	if (category === undefined) {
		throw wrongValue('--category', text, anyOf(categories.map(known => categoryLabel(known))));
	}

	return category;
};

const categoryHelp = categories.map(category => `${categoryLabel(category)}: ${categoryMeanings[category]}`).join('; ');

const clearLine = '\r\u{1B}[K';

/** Shows how much was sent, on standard error where that is a terminal, until it is ended. */
const createProgress = ({name}: PackedAbility) => {
	let shown = -1;
	return {
		show(fraction: number) {
			const percent = Math.floor(fraction * 100);
			if (!(process.stderr.isTTY && percent > shown)) {
				return;
			}

			shown = percent;
			process.stderr.write(`${clearLine}Uploading ${name}: ${percent} %`);
		},
		end() {
			process.stderr.write(shown >= 0 ? clearLine : '');
			shown = -1;
		},
	};
};

const findAgentId = async (context: Context, service: Service, word: string | undefined): Promise<number | undefined> => {
	if (word === undefined) {
		return undefined;
	}

	const agents = await readList(context, service, 'agents');
	return findRecord(agents, word, {what: 'agent', listCommand: 'switchboard agents', isToChange: true}).id;
};

const send = async (context: Context, service: Service, packed: PackedAbility, agentId: number | undefined): Promise<UploadResult> => {
	const progress = createProgress(packed);
	const {image} = packed;
	const contents = {...packed, agentId, image: image && {fileName: image.name, type: image.type, bytes: image.bytes}};
	return sendUpload(context, service, contents, progress);
};

const report = (context: Context, {name, sizeBytes}: PackedAbility, {capabilityId, detail}: UploadResult): void => {
	if (context.options.isJson) {
		context.printJson({capability_id: capabilityId ?? null, name, detail});
	} else if (process.stdout.isTTY) {
		const id = capabilityId === undefined ? '' : `, id ${capabilityId}`;
		context.print(`Uploaded ${name}${id} (${sizeBytes} bytes). ${detail}`.trim());
	} else {
		context.print([capabilityId ?? '', name, detail].join('\t'));
	}
};

const upload = async (context: Context, path: string, options: UploadCommandOptions): Promise<void> => {
	refuseReadOnly(context);
	const packed = await pack(path, options);
	if (packed.leftOut.length > 0) {
		context.note(`Left out: ${packed.leftOut.join(', ')}`);
	}

	if (packed.category === 'skill' && packed.triggerPhrases.length === 0) {
		context.note(`Warning: ${packed.name} is a skill without a trigger phrase, so nothing starts it. Give it some with --triggers.`);
	}

	const result = await withService(context, async service => {
		const agentId = await findAgentId(context, service, options.agent);
		return send(context, service, packed, agentId);
	});
	report(context, packed, result);
};

export const defineUploadAbility: DefineCommand = (parent, run) => parent
	.command('upload')
	.description('upload an ability from its folder or a zip of it; all is checked before anything is sent')
	.argument('<folder|zip>', 'holds main.py and __init__.py; a config.json in it gives defaults for name and triggers')
	.option('--name <name>', 'what to call it: a letter first, then letters and digits')
	.option('--description <text>', 'what it does, or “-” for standard input')
	.addOption(new Option('--category <category>', categoryHelp).choices(categoryWords).argParser(parseCategory).default('skill'))
	.option('--triggers <list>', 'the phrases that start it, with commas between')
	.option('--image <file>', 'its picture, PNG or JPEG')
	.option('--agent <agent>', 'tie it to this agent: an id, or a name in any case')
	.addHelpText('after', examples(
		['switchboard abilities upload ./pantry', 'with what its config.json says'],
		['switchboard abilities upload ./pantry --name pantry --triggers "what is in the pantry,pantry list"', 'with your own words'],
		['switchboard enable "$(switchboard abilities upload ./pantry --json | jq -r .name)"', 'and switch it on'],
	))
	.action(async (path: string, options: UploadCommandOptions, command: Command) => run(command, async context => upload(context, path, options)));
