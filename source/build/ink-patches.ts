import path from 'node:path';
import {type Plugin} from 'esbuild';
import {patchPackage, type Patch} from './patch-package.ts';

/*
Ink draws every text of a frame anew, whatever has changed: on a screen of 24 rows that is two thirds of what a key costs.
These changes keep what a text came to until it changes, and draw only the rows whose texts did. What is drawn stays the
same, character by character (`test/tui/terminal/remembered-rows.test.ts`).
*/
const patches: readonly Patch[] = [
	{
		// A function per look, so that a text that is rendered again with the look it had counts as unchanged.
		file: 'ink/build/components/Text.js',
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
		file: 'ink/build/squash-text-nodes.js',
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
		file: 'ink/build/dom.js',
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
		file: 'ink/build/render-node-to-output.js',
		changes: [
			['import widestLine from \'widest-line\';', 'import measureText from \'./measure-text.js\';'],
			['const currentWidth = widestLine(text);', 'const currentWidth = measureText(text).width;'],
		],
	},
	{
		// What the last frame was made from is kept beside the tree.
		file: 'ink/build/renderer.js',
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

/** Ink loads React's developer tools only on request by an environment variable, which we do not support. */
export const withoutDeveloperTools: Plugin = {
	name: 'without-developer-tools',
	setup(bundler) {
		bundler.onLoad({filter: /ink\/build\/devtools\.js$/}, () => ({contents: 'export {}'}));
	},
};

/** Makes Ink draw again only what has changed. */
export const inkPatches = patchPackage('ink', patches);
