import {lstatSync, realpathSync, statSync} from 'node:fs';
import process from 'node:process';
import {SwitchboardError} from '../interface/errors.ts';
import {isLink, isMissing} from '../platform/private-files.ts';

const isOurs = ({uid}: {readonly uid: number}): boolean => process.getuid === undefined || uid === process.getuid();

/**
The file that holds the settings: dotfile managers keep it elsewhere and put a link in its place. Of all files in our folders
only this one may be a link.

@returns the file itself, or what the link leads to.
@throws SwitchboardError `unexpected` if the link leads to nothing, or is not ours, or what it leads to is not.
*/
export const followSettingsLink = (file: string): string => {
	if (!isLink(file)) {
		return file;
	}

	try {
		const target = realpathSync(file);
		if (isOurs(lstatSync(file)) && isOurs(statSync(target))) {
			return target;
		}
	} catch (error) {
		throw isMissing(error)
			? new SwitchboardError('unexpected', `${file} is a link to a file that does not exist.`, {nextStep: 'Remove the link, or put the file there.', cause: error})
			: error;
	}

	throw new SwitchboardError('unexpected', `${file} is a link, and it or the file it leads to belongs to another user, so it is not used.`, {nextStep: 'Put a file of your own there.'});
};
