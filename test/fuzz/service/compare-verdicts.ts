import {assert, path, writeFile} from '../../helpers/node.ts';
import {packAbility} from '../../../source/bundle/pack-ability.ts';
import {SwitchboardError} from '../../../source/interface/errors.ts';
import {withPackage} from '../../../source/service/routes/source.ts';
import {temporaryFolder} from '../../helpers/temporary-folder.ts';
import type {Random} from '../targets.ts';
import {randomZip} from './hostile-zips.ts';

const folder = temporaryFolder();

/** The client and the service take the same zips, with the same files in them, and refuse others in the same words. */
export async function compareVerdicts(random: Random): Promise<void> {
	const zip = randomZip(random, 'lamps/');
	const file = path.join(folder, 'ability.zip');
	await writeFile(file, zip);
	const byClient = await verdictOf(async () => (await packAbility(file, {name: 'lamps', category: 'skill', triggerPhrases: []})).files);
	const byService = await verdictOf(async () =>
		withPackage({fields: new Map(), files: new Map([['zip_file', zip]])}, {category: 'skill', layout: 'folder'}, async ({files}) => files),
	);
	assert.deepEqual(byClient, byService);
}

/** What was taken, without the name of the ability's folder, or the kind and the words of the refusal. */
async function verdictOf(work: () => Promise<ReadonlyArray<{readonly path: string}>>): Promise<unknown> {
	try {
		return (await work()).map(file => file.path).toSorted();
	} catch (error) {
		assert.ok(error instanceof SwitchboardError, String(error));
		return [error.kind, error.message];
	}
}
