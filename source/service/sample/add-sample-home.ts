import {Buffer} from 'node:buffer';
import {type PackageFile} from '../../interface/ability-package/write-zip.ts';
import {ensureAccount, isAccountEmpty} from '../store/sqlite/accounts.ts';
import {addTies} from '../store/sqlite/agents.ts';
import {allotIdentifier} from '../store/sqlite/identifiers.ts';
import {insertAbility} from '../store/sqlite/insert-ability.ts';
import {type Database} from '../store/sqlite/store.ts';
import {flag} from '../store/sqlite/tables.ts';
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

const addAbilities = async (database: Database, accountId: number): Promise<ReadonlyMap<string, number>> => {
	const filledAt = Date.now();
	const ids = new Map<string, number>();
	for (const ability of sampleAbilities) {
		const abilityId = await insertAbility(database, accountId, {
			name: ability.name,
			category: ability.category,
			description: ability.description,
			triggerPhrases: ability.triggerPhrases,
			files: filesOf(ability),
			installedAs: ability.isEnabled,
			changedAt: new Date(filledAt - (ability.ageDays * millisecondsPerDay)),
			commitMessage: 'First version',
		});
		ids.set(ability.name, abilityId);
	}

	return ids;
};

const addAgents = async (database: Database, accountId: number, abilityIds: ReadonlyMap<string, number>): Promise<void> => {
	const starter = await database.selectFrom('agents').select('id').where('account_id', '=', accountId).executeTakeFirst();
	for (const [index, agent] of sampleAgents.entries()) {
		const values = {
			name: agent.name,
			description: agent.description,
			image: pictureOf(agent),
			is_starter: flag(false),
		};
		const isStarterTaken = index === 0 && starter !== undefined;
		const id = isStarterTaken ? starter.id : await allotIdentifier(database);
		await (isStarterTaken
			? database.updateTable('agents').set(values).where('id', '=', id).execute()
			: database.insertInto('agents').values({id, account_id: accountId, ...values}).execute());
		const ties = agent.abilities.map(name => abilityIds.get(name)).filter(abilityId => abilityId !== undefined);
		await addTies(database, id, ties);
	}
};

/**
Fills an account with a home to try things on: agents, abilities with their source, most of them installed.

@returns false, and nothing done, where the account already holds something that somebody put there.
*/
export const addSampleHome = async (database: Database, account: string): Promise<boolean> =>
	database.transaction().execute(async transaction => {
		const accountId = await ensureAccount(transaction, account);
		if (!await isAccountEmpty(transaction, accountId)) {
			return false;
		}

		const abilityIds = await addAbilities(transaction, accountId);
		await addAgents(transaction, accountId, abilityIds);
		return true;
	});
