import {assert, path, suite, test, writeFile} from '../helpers/node.ts';
import {pathToFileURL} from 'node:url';
import {build} from 'esbuild';
import {packageOptions, patchPackage} from '../../source/build/patches.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

async function bundleOf(text: string, isPatched: boolean, folder: string): Promise<unknown> {
	const file = path.join(folder, `${isPatched ? 'patched' : 'plain'}.mjs`);
	await build({
		...(isPatched && packageOptions),
		stdin: {contents: text, resolveDir: root, loader: 'js'},
		bundle: true,
		format: 'esm',
		platform: 'node',
		target: 'node24',
		outfile: file,
		logLevel: 'warning',
	});
	return import(pathToFileURL(file).href);
}

type Patched = {
	readonly width: (text: string) => number;
	readonly split: (text: string) => string;
	readonly at: (text: string, index: number) => string;
};

suite('what the bundle puts off until it is used', () => {
	test('characters keep their widths, and are split as a reader sees them, alone and with what combines with them', async () => {
		const folder = temporaryFolder();
		const text = `export {default as width} from 'string-width';
			const segmenter = new Intl.Segmenter();
			export const split = text => Array.from(segmenter.segment(text), ({segment, index}) => index + segment).join();
			export const at = (text, index) => JSON.stringify(segmenter.segment(text).containing(index));`;
		const patched = (await bundleOf(text, true, folder)) as Patched;
		const plain = (await bundleOf(text, false, folder)) as Patched;
		const seen = ({width, split, at}: Patched, sample: string) => [width(sample), split(sample), at(sample, 1)].join(' ');
		for (let codePoint = 0; codePoint < 0x40_00; codePoint += codePoint < 0x4_00 ? 1 : 7) {
			const character = String.fromCodePoint(codePoint);
			for (const sample of [
				character,
				`a${character}`,
				`\r${character}\n`,
				`\u{1B}[1m${character}\u{1B}[m`,
				`${character}\u{301}`,
				`${character}\u{FE0F}`,
				`${character}\u{20E3}`,
			]) {
				if (seen(patched, sample) !== seen(plain, sample)) {
					assert.fail(
						`U+${codePoint.toString(16)} in ${JSON.stringify(sample)}: ${seen(patched, sample)} instead of ${seen(plain, sample)}`,
					);
				}
			}
		}

		assert.equal(patched.split('e\u{301}👩‍👧!'), '0e\u{301},2👩‍👧,7!');
	});

	test('the build fails when a package no longer has the text that it changes', async () => {
		const entry = path.join(temporaryFolder(), 'entry.mjs');
		await writeFile(entry, `import ${JSON.stringify(path.join(root, 'node_modules/strip-ansi/index.js'))};`);
		const bundle = async (file: string, before: string) =>
			build({
				entryPoints: [entry],
				bundle: true,
				write: false,
				platform: 'node',
				plugins: [patchPackage('strip-ansi', {[file]: [[before, '']]})],
				logLevel: 'silent',
			});
		await assert.rejects(bundle('index.js', 'a text that is not there'), /was changed: this is there 0 times/);
		await assert.rejects(bundle('gone.js', 'anything'), /There is no strip-ansi\/gone\.js any more/);
	});
});
