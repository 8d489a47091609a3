import {normalizeText} from '../normalize-text.ts';
import {abilityLimits} from './limits.ts';
import {quotePath} from './refusals.ts';

/** Control characters, line separators, and marks that make one name look like another: none belongs in a file name. */
const deceptiveCharacters = /[\p{Control}\u{61C}\u{200E}\u{200F}\u{2028}-\u{202E}\u{2066}-\u{2069}\u{FEFF}\u{FFFD}]/u;

const isLonger = (path: string): boolean => path.length > abilityLimits.pathLength;

/** What no path in a package may be, each with its message; the first that applies counts. */
const rules: ReadonlyArray<readonly [isBroken: (path: string) => boolean, problem: string]> = [
	[path => path === '', 'has no name'],
	// Before the rules that look at every character.
	[path => isLonger(path), `has a path of more than ${abilityLimits.pathLength} characters`],
	// A decoder puts U+FFFD where the bytes are not text.
	[path => !path.isWellFormed() || deceptiveCharacters.test(path), 'has a name with control, invisible or undecodable characters'],
	[path => path.includes('\\'), 'has a backslash in its name'],
	[path => path.startsWith('/'), 'is an absolute path'],
	// A colon names a drive or a hidden stream on Windows.
	[path => path.includes(':'), 'has a colon in its name'],
	[path => path.split('/').includes('..'), 'points outside its folder (“..”)'],
	[path => path.split('/').some(segment => segment === '' || segment === '.'), 'has an empty part in its path'],
	[path => path.split('/').length - 1 > abilityLimits.depth, `is more than ${abilityLimits.depth} folders deep`],
];

/**
What is wrong with the path of a file in a package, as a sentence; `undefined` if it is valid.

@param path - relative, its parts separated by `/`.
*/
export const pathProblem = (path: string): string | undefined => {
	const broken = rules.find(([isBroken]) => isBroken(path));
	return broken && `${quotePath(path)} ${broken[1]}.`;
};

/**
The same text for two paths that name the same file on a file system that ignores case or composes letters. The identity of a
folder is the beginning of the identities of its files: nothing composes with a `/`.
*/
export const pathIdentity = (path: string): string => normalizeText(path).toUpperCase().toLowerCase();

/** Every folder above the path, outermost first. */
export const parentFolders = (path: string): readonly string[] => {
	const segments = path.split('/').slice(0, -1);
	return segments.map((_segment, index) => segments.slice(0, index + 1).join('/'));
};
