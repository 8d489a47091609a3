import path from 'node:path';
import {type Plugin} from 'esbuild';
import {patchPackage, type Patch} from './patch-package.ts';

/** Our module that keeps rows, as the text of an import. */
const rememberedRows = JSON.stringify(path.join(import.meta.dirname, '../tui/terminal/remembered-rows.ts'));

/*
Ink draws every text of a frame anew, whatever has changed: on a screen of 24 rows that is two thirds of what a key costs.
These changes keep what a text came to until it changes, and draw only the rows whose texts did. What is drawn stays the
same, character by character (`test/tui/terminal/remembered-rows.test.ts`).
*/
const patches: readonly Patch[] = [
	{
		// A function per look, so that a text that is rendered again with the look it had counts as unchanged; none for plain text.
		file: 'ink/build/components/Text.js',
		changes: [
			['export default function Text(', `const transforms = new Map();
const transformOf = (look, transform) => {
    if (!look.some(Boolean)) {
        return undefined;
    }
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
		// The joined parts of a text are kept on its node until one of them changes. Most need no cleaning.
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
			['    text = sanitizeAnsi(', `    if (isPlain(text)) {
        return text;
    }
    text = sanitizeAnsi(`],
			['import sanitizeAnsi from \'./sanitize-ansi.js\';', `import sanitizeAnsi from './sanitize-ansi.js';
import { isPlain } from ${rememberedRows};`],
		],
	},
	{
		// A text that changed and takes the room it took leaves the layout as it is.
		file: 'ink/build/dom.js',
		changes: [
			['    const dimensions = measureText(text);', '    const dimensions = measureText(text);\n    node.internal_size = dimensions;'],
			['    const textWrap = node.style?.textWrap ?? \'wrap\';', `    // It depends on more than the size of the text.
    node.internal_isWrapped = true;
    const textWrap = node.style?.textWrap ?? 'wrap';`],
			[`    const yogaNode = findClosestYogaNode(node);
    yogaNode?.markDirty();
};`, `    let ancestor = node;
    while (ancestor && !ancestor.yogaNode) {
        ancestor.internal_squashed = undefined;
        ancestor = ancestor.parentNode;
    }
    if (ancestor) {
        ancestor.internal_squashed = undefined;
        changedTexts.add(ancestor);
    }
};
const changedTexts = new Set();
/** Has those texts laid out that changed and now take another room. */
export const markChangedTexts = () => {
    for (const node of changedTexts) {
        const size = node.internal_size;
        if (!node.yogaNode) {
            continue;
        }
        if (size && !node.internal_isWrapped) {
            const { width, height } = measureText(squashTextNodes(node));
            if (width === size.width && height === size.height) {
                continue;
            }
        }
        node.internal_isWrapped = false;
        node.yogaNode.markDirty();
    }
    changedTexts.clear();
};`],
		],
	},
	{
		// The terminal follows signals and exits itself. Ink's listeners would end the process by a signal that someone listened to once.
		file: 'ink/build/ink.js',
		changes: [
			['import signalExit from \'signal-exit\';', ''],
			['this.unsubscribeExit = signalExit(this.unmount, { alwaysLast: false });', 'this.unsubscribeExit = () => {};'],
			['        yogaNode.setWidth(terminalWidth);', '        dom.markChangedTexts();\n        yogaNode.setWidth(terminalWidth);'],
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
import { rememberRows } from ${rememberedRows};
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
