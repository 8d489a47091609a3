import {compareFiles, type FileChange} from '../bundle/compare-files.ts';
import {type PackageFile} from '../interface/ability-package/write-zip.ts';
import {type Ability} from '../interface/records.ts';
import {type ReleaseAccess} from './find-release.ts';
import {readServiceSource} from './read-service-source.ts';

type SourceComparison = {
	readonly same: boolean;
	/** From the service to the local files: `added` are only local. */
	readonly files: readonly FileChange[];
};

/**
Compares the source of an ability on the service with local files, byte by byte: one request.

@param contents - without the files that stay out of packages, as `packAbility` returns them.
@throws SwitchboardError as `readServiceSource` does.
*/
export const compareSource = async ({client, signal, advice}: ReleaseAccess, ability: Ability, {contents}: {readonly contents: readonly PackageFile[]}): Promise<SourceComparison> => {
	const files = compareFiles(await readServiceSource(client, ability, {signal, nextStep: advice.uploadInstead}), contents);
	return {same: files.length === 0, files};
};
