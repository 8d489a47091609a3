import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {type Plugin} from 'esbuild';

/** What is changed of one file: each text is replaced where it stands, exactly once. */
type Patch = {
	readonly file: string;
	readonly changes: ReadonlyArray<readonly [before: string, after: string]>;
};

/*
Ink draws every text of a frame anew, whatever has changed: on a screen of 24 rows that is two thirds of what a key costs.
These changes keep what a text came to until it changes, and draw only the rows whose texts did. What is drawn stays the
same, character by character (`test/tui/terminal/remembered-rows.test.ts`).
*/
const patches: readonly Patch[] = [
	{
		// A function per look, so that a text that is rendered again with the look it had counts as unchanged.
		file: 'components/Text.js',
		changes: [
			['export default function Text(', `const transforms = new Map();
const transformOf = (look, transform) => {
    const key = look.join(' ');
    const known = transforms.get(key);
    if (known === undefined) {
        transforms.set(key, transform);
    }
    return known ?? transform;
};
export default function Text(`],
			['const transform = (text) => {', 'const transform = transformOf([dimColor, color, effectiveBackgroundColor, bold, italic, underline, strikethrough, inverse], (text) => {'],
			['        return text;\n    };', '        return text;\n    });'],
		],
	},
	{
		// The joined parts of a text are kept on its node until one of them changes.
		file: 'squash-text-nodes.js',
		changes: [
			['const squashTextNodes = (node) => {\n    let text', `const squashTextNodes = (node) => {
    if (node.nodeName !== 'ink-text') {
        return squash(node);
    }
    return node.internal_squashed ??= squash(node);
};
const squash = (node) => {
    let text`],
		],
	},
	{
		file: 'dom.js',
		changes: [
			['const markNodeAsDirty = (node) => {', `const markNodeAsDirty = (node) => {
    for (let ancestor = node; ancestor; ancestor = ancestor.parentNode) {
        ancestor.internal_squashed = undefined;
        if (ancestor.yogaNode) {
            break;
        }
    }`],
		],
	},
	{
		// Measuring has a cache already.
		file: 'render-node-to-output.js',
		changes: [
			['import widestLine from \'widest-line\';', 'import measureText from \'./measure-text.js\';'],
			['const currentWidth = widestLine(text);', 'const currentWidth = measureText(text).width;'],
		],
	},
	{
		// What the last frame was made from is kept beside the tree.
		file: 'renderer.js',
		changes: [
			['import Output from \'./output.js\';', `import PlainOutput from './output.js';
import { rememberRows } from ${JSON.stringify(path.join(import.meta.dirname, '../tui/terminal/remembered-rows.ts'))};
const Output = rememberRows(PlainOutput);`],
			['            height: node.yogaNode.getComputedHeight(),\n        });', `            height: node.yogaNode.getComputedHeight(),
            memory: node.internal_rowMemory ??= {},
        });`],
			['                    yogaNode.getComputedMargin(Yoga.EDGE_BOTTOM),\n            });', `                    yogaNode.getComputedMargin(Yoga.EDGE_BOTTOM),
                memory: {},
            });`],
		],
	},
];

/**
The text with all changes made.

@throws Error if a text to be replaced does not occur exactly once: Ink was changed, and the patch has to be reviewed.
*/
const patched = (text: string, {file, changes}: Patch): string => {
	let result = text;
	for (const [before, after] of changes) {
		const parts = result.split(before);
		if (parts.length !== 2) {
			throw new Error(`ink/build/${file} was changed: this stands there ${parts.length - 1} times instead of once:\n${before}`);
		}

		result = parts.join(after);
	}

	return result;
};

/** Ink loads React's developer tools only on request by an environment variable, which we do not support. */
export const withoutDeveloperTools: Plugin = {
	name: 'without-developer-tools',
	setup(bundler) {
		bundler.onLoad({filter: /ink\/build\/devtools\.js$/}, () => ({contents: 'export {}'}));
	},
};

/** Makes Ink draw again only what has changed. */
export const inkPatches: Plugin = {
	name: 'ink-patches',
	setup(bundler) {
		const names = new Set<string>();
		bundler.onLoad({filter: /[/\\]ink[/\\]build[/\\].*\.js$/}, async ({path: file}) => {
			const name = file.split(/[/\\]ink[/\\]build[/\\]/).at(-1)!.replaceAll(path.sep, '/');
			names.add(name);
			const patch = patches.find(({file: patchedFile}) => patchedFile === name);
			return patch === undefined ? undefined : {contents: patched(await readFile(file, 'utf8'), patch)};
		});
		bundler.onEnd(() => {
			const missing = patches.filter(({file}) => !names.has(file)).map(({file}) => file);
			// What does not draw has no Ink in it.
			return names.size === 0 || missing.length === 0 ? {} : {errors: [{text: `Ink has no ${missing.join(', ')} any more: review the patches.`}]};
		});
	},
};
