import {type Buffer} from 'node:buffer';
import {constants, open} from 'node:fs/promises';
import {basename} from 'node:path';
import {detectImageType, type ImageType} from '../interface/ability-package/image-type.ts';
import {abilityLimits, formatBytes, formatOversize} from '../interface/ability-package/limits.ts';
import {quotePath} from '../interface/ability-package/refusals.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {fileError} from './file-errors.ts';

export type AbilityImage = {
	/** The file's name, without its folder. */
	readonly name: string;
	readonly type: ImageType;
	readonly bytes: Buffer;
};

const field = 'image_file';

/**
Reads and checks the image of an ability.

@throws SwitchboardError `refused` or `too-large`, naming the field `image_file`.
*/
export const readImage = async (path: string): Promise<AbilityImage> => {
	try {
		// A pipe that nobody writes to would hold up the opening, and the end of the program with it.
		// eslint-disable-next-line no-bitwise -- Flags are bits.
		await using handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
		const stats = await handle.stat();
		if (!stats.isFile()) {
			throw new SwitchboardError('refused', `${quotePath(path)} is not a file.`, {field, nextStep: 'Choose a PNG or JPEG file.'});
		}

		if (stats.size > abilityLimits.imageBytes) {
			const message = `The image is ${formatOversize(stats.size, abilityLimits.imageBytes)}; it may be at most ${formatBytes(abilityLimits.imageBytes)}.`;
			throw new SwitchboardError('too-large', message, {field, nextStep: 'Choose a smaller one.'});
		}

		const bytes = await handle.readFile();
		const type = detectImageType(bytes);
		if (type === undefined) {
			throw new SwitchboardError('refused', `${quotePath(path)} is neither a PNG nor a JPEG.`, {field, nextStep: 'Choose a PNG or JPEG file.'});
		}

		return {name: basename(path), type, bytes};
	} catch (error) {
		throw fileError(error, path, field);
	}
};
