import {findTopFolder} from '../interface/ability-package/check-ability-files.ts';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {type PackageFile} from '../interface/ability-package/write-zip.ts';
import {type Ability} from '../interface/records.ts';
import {type Client} from './client.ts';

/** Reads the zip by the rules of uploads, which leave out the same files as when a folder is packed. */
const unpack = async (zip: Uint8Array, {name}: Ability): Promise<readonly PackageFile[]> => {
	// Other commands need no zip library.
	const {readZip} = await import('../interface/ability-package/read-zip.ts');
	try {
		const {files} = await readZip(zip);
		return files.map(({path, bytes}) => ({path: path.normalize('NFC'), bytes}));
	} catch (error_) {
		const error = toSwitchboardError(error_);
		throw new SwitchboardError(error.kind, `The source of ${name} on the service breaks the rules of packages: ${error.message}`, {
			nextStep: 'Look at it in the dashboard.', cause: error,
		});
	}
};

/**
The files of an ability on the service, without those that stay out of packages.

@param nextStep - what to do if the service does not send them.
@throws SwitchboardError `not-found` if the service does not send them; `refused` or `too-large` if they break the rules of packages.
*/
export const readServiceSource = async (
	client: Client,
	ability: Ability,
	{signal, nextStep = 'Use the dashboard instead.'}: {readonly signal: AbortSignal; readonly nextStep?: string},
): Promise<readonly PackageFile[]> => {
	let zip: Uint8Array;
	try {
		zip = await client.getTemplateFile(ability.id, signal);
	} catch (error_) {
		const {kind, status} = toSwitchboardError(error_);
		throw kind === 'not-found' ? new SwitchboardError(kind, `The service does not send the source of ${ability.name} (HTTP ${status}).`, {nextStep, status}) : error_;
	}

	const files = await unpack(zip, ability);
	if (findTopFolder(files.map(({path, bytes}) => ({path, size: bytes.byteLength}))) !== undefined) {
		throw new SwitchboardError('refused', `The source of ${ability.name} on the service is in a folder of its own, not at the root of the zip.`, {
			nextStep: 'Look at it in the dashboard.',
		});
	}

	return files;
};
