import {abilityLimits} from './limits.ts';
import {quotePath} from './refusals.ts';

/** Controls, line separators, and marks that make a name read as another one: none belongs in the name of a file. */
const deceptiveCharacters = /[\p{Control}\u{61C}\u{200E}\u{200F}\u{2028}-\u{202E}\u{2066}-\u{2069}\u{FEFF}\u{FFFD}]/u;

const isLonger = (path: string): boolean => path.length > abilityLimits.pathLength;

/** What no path in a package may be, each with the words for it; the first that fits is said. */
const rules: ReadonlyArray<readonly [isBroken: (path: string) => boolean, complaint: string]> = [
	[path => path === '', 'has no name'],
	// A decoder puts U+FFFD where the bytes were no text.
	[path => !path.isWellFormed() || deceptiveCharacters.test(path), 'has a name with control or invisible characters, or one that is no text'],
	[path => path.includes('\\'), 'has a backslash in its name'],
	[path => path.startsWith('/'), 'is an absolute path'],
	// A colon names a drive or a hidden stream on Windows.
	[path => path.includes(':'), 'has a colon in its name'],
	[path => path.split('/').includes('..'), 'points out of its folder (“..”)'],
	[path => path.split('/').some(segment => segment === '' || segment === '.'), 'has an empty part in its path'],
	[path => isLonger(path), `has a path of more than ${abilityLimits.pathLength} characters`],
	[path => path.split('/').length - 1 > abilityLimits.depth, `lies more than ${abilityLimits.depth} folders deep`],
];

/**
What is wrong with the path of a file in a package, as a sentence; `undefined` where it is right.

@param path - relative, its parts separated by `/`.
*/
export const pathProblem = (path: string): string | undefined => {
	const broken = rules.find(([isBroken]) => isBroken(path));
	return broken && `${quotePath(path)} ${broken[1]}.`;
};

/** The form in which two paths are one and the same on a file system that ignores case or composes letters. */
export const pathIdentity = (path: string): string => path.normalize('NFC').toUpperCase().toLowerCase();

/** Every folder above the path, outermost first. */
export const parentFolders = (path: string): readonly string[] => {
	const segments = path.split('/').slice(0, -1);
	return segments.map((_segment, index) => segments.slice(0, index + 1).join('/'));
};
