import {Buffer} from 'node:buffer';
import {type PackageFile} from '../../interface/ability-package/write-zip.ts';
import {type NewAbility, type NewAgent} from '../store/changes.ts';
import {type Accounts} from '../store/store.ts';
import {sampleAbilities} from './sample-abilities.ts';
import {type SampleAbility} from './sample-ability.ts';
import {type SampleAgent, sampleAgents} from './sample-agents.ts';

const millisecondsPerDay = 86_400_000;

const filesOf = ({name, description, triggerPhrases, sources}: SampleAbility): readonly PackageFile[] => {
	const phrases = triggerPhrases.length === 0 ? 'It needs no trigger phrase.' : `Say: ${triggerPhrases.join(', ')}.`;
	const texts: Readonly<Record<string, string>> = {
		...sources,
		'__init__.py': '',
		'config.json': `${JSON.stringify({unique_name: name, matching_hotwords: triggerPhrases}, undefined, 2)}\n`,
		'README.md': `# ${name}\n\n${description}\n\n${phrases}\n`,
	};
	return Object.entries(texts).map(([path, text]) => ({path, bytes: Buffer.from(text)}));
};

/** A letter on a coloured square, so that clients which show pictures have one to show. */
const pictureOf = ({name, colour}: SampleAgent): string => {
	const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'
		+ `<rect width="64" height="64" rx="12" fill="${colour}"/>`
		+ `<text x="32" y="44" font-family="sans-serif" font-size="36" fill="#fff" text-anchor="middle">${name.slice(0, 1)}</text></svg>`;
	return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
};

const toNewAbility = (ability: SampleAbility, filledAt: number): NewAbility => ({
	name: ability.name,
	category: ability.category,
	description: ability.description,
	triggerPhrases: ability.triggerPhrases,
	files: filesOf(ability),
	installedAs: ability.isEnabled,
	changedAt: new Date(filledAt - (ability.ageDays * millisecondsPerDay)),
});

const toNewAgent = (agent: SampleAgent): NewAgent => ({
	name: agent.name,
	description: agent.description,
	image: pictureOf(agent),
	abilities: agent.abilities,
});

/**
Fills an account with a home to try things on: agents, abilities with their source, most of them installed.

@returns false, and nothing done, where the account already holds something that somebody put there.
*/
export const addSampleHome = async (accounts: Accounts, account: string): Promise<boolean> => {
	const filledAt = Date.now();
	return accounts.fill(account, {
		abilities: sampleAbilities.map(ability => toNewAbility(ability, filledAt)),
		agents: sampleAgents.map(agent => toNewAgent(agent)),
	});
};
