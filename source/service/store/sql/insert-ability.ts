import {foldName} from '../../../interface/fold-name.ts';
import {type NewAbility} from '../changes.ts';
import {allocateId} from './ids.ts';
import {insertInstalled} from './insert-installed.ts';
import {insertRelease} from './releases.ts';
import {sizeOf} from './sizes.ts';
import {type StagedFiles} from './staged-files.ts';
import {type Database} from './tables.ts';

/**
Adds an ability with its first release, and installs it if wanted, within a transaction.

@param staged - its files, if they are stored already (`withStagedFiles`).
@returns the id of the ability.
*/
export const insertAbility = async (database: Database, accountId: number, ability: NewAbility, staged?: StagedFiles): Promise<number> => {
	const id = await allocateId(database);
	const trigger_words = JSON.stringify(ability.triggerPhrases);
	await database
		.insertInto('abilities')
		.values({
			id,
			account_id: accountId,
			name: ability.name,
			folded_name: foldName(ability.name),
			category: ability.category,
			description: ability.description,
			trigger_words,
			image: ability.image?.bytes ?? null,
			image_file: ability.image?.name ?? null,
			last_updated: ability.changedAt.toISOString(),
			bytes: sizeOf(ability.name, ability.description, trigger_words, ability.image?.bytes),
		})
		.execute();
	await insertRelease(database, id, {
		version: 1,
		staged,
		isCommitted: true,
		commitMessage: 'First version',
		createdAt: ability.changedAt,
		files: ability.files,
	});
	if (ability.installedAs !== undefined) {
		await insertInstalled(database, id, {
			triggerPhrases: ability.triggerPhrases,
			isEnabled: ability.installedAs,
			changedAt: ability.changedAt,
		});
	}

	return id;
};
