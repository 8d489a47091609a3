import {Buffer} from 'node:buffer';
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import sea from 'node:sea';
import {fileURLToPath} from 'node:url';
import {checkSource} from '../../bundle/pack-ability.ts';
import {type AbilitySource, readSource} from '../../bundle/read-source.ts';
import {reasonOf, SwitchboardError, throwIfAny} from '../../interface/errors.ts';
import {isExecutable} from '../../platform/program.ts';
import type {AccountContent, NewAbility, NewAgent} from '../store/changes.ts';

/** Beside this file's chunk if built (`source/build/build.ts`), otherwise beside this file. In the executable it is an asset. */
export const sampleHomeFolder = isExecutable
	? 'sample-home'
	: fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './home' : './sample-home', import.meta.url));

type AbilityEntry = {
	readonly category: string;
	readonly description: string;
	/** Missing if the ability is not installed. */
	readonly enabled?: boolean;
	/** Age in days, since the ability last changed. */
	readonly age_days: number;
};

type AgentEntry = {
	readonly prompt_file: string;
	readonly colour: string;
	/** The names of the abilities that it is tied to. */
	readonly abilities: readonly string[];
};

/** `home.json`: everything that is not in the ability folders and the prompts, by name and in the order of adding. */
type Manifest = {readonly abilities: Readonly<Record<string, AbilityEntry>>; readonly agents: Readonly<Record<string, AgentEntry>>};

/**
Returns the sample home: agents, and abilities with their source, most of them installed.

@throws SwitchboardError `unexpected` if its files are missing or damaged.
*/
export async function readSampleHome(): Promise<AccountContent> {
	try {
		const manifest = JSON.parse(await readSampleText('home.json')) as Manifest;
		return {
			abilities: await Promise.all(Object.entries(manifest.abilities).map(async ([name, entry]) => readAbility(name, entry))),
			agents: await Promise.all(Object.entries(manifest.agents).map(async ([name, entry]) => readAgent(name, entry))),
		};
	} catch (error) {
		throw new SwitchboardError('unexpected', `The sample home in ${sampleHomeFolder} cannot be read: ${reasonOf(error)}`, {
			nextStep: 'Install Switchboard again.',
			cause: error,
		});
	}
}

/** A text file of the sample home. */
const readSampleText = async (name: string): Promise<string> =>
	isExecutable ? sea.getAsset(`${sampleHomeFolder}/${name}`, 'utf8') : readFile(path.join(sampleHomeFolder, name), 'utf8');

async function readAbility(name: string, {category, description, enabled, age_days}: AbilityEntry): Promise<NewAbility> {
	const source = await readSampleAbility(name);
	const draft = checkSource(source, {category, description});
	throwIfAny(draft.problems[0]);

	return {
		name: draft.name,
		category,
		description,
		triggerPhrases: draft.triggerPhrases,
		files: source.files,
		installedAs: enabled,
		changedAt: new Date(Date.now() - age_days * 86_400_000),
	};
}

/**
Returns the files of an ability of the sample home.

@throws SwitchboardError as `readSource` does.
*/
async function readSampleAbility(name: string): Promise<AbilitySource> {
	if (!isExecutable) {
		return readSource(path.join(sampleHomeFolder, 'abilities', name));
	}

	const start = `${sampleHomeFolder}/abilities/${name}/`;
	const keys = sea
		.getAssetKeys()
		.filter(key => key.startsWith(start))
		.toSorted();
	return {baseName: name, files: keys.map(key => ({path: key.slice(start.length), bytes: Buffer.from(sea.getAsset(key))})), leftOut: []};
}

async function readAgent(name: string, {prompt_file, colour, abilities}: AgentEntry): Promise<NewAgent> {
	const prompt = await readSampleText(prompt_file);
	return {
		name,
		// A text file ends with a line break; a prompt does not.
		description: prompt.trimEnd(),
		image: pictureOf(name, colour),
		abilities,
	};
}

/** Returns a letter on a coloured square, for clients that show pictures. */
function pictureOf(name: string, colour: string): string {
	const svg =
		'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">' +
		`<rect width="64" height="64" rx="12" fill="${colour}"/>` +
		`<text x="32" y="44" font-family="sans-serif" font-size="36" fill="#fff" text-anchor="middle">${name.slice(0, 1)}</text></svg>`;
	return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}
