import {assert, existsSync, path, test} from '../helpers/node.ts';
import {mkdir, readdir, writeFile} from 'node:fs/promises';
import {provideTool} from '../../source/build/provide-tool.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';

/** A tool of one package, which lies beside the tools and would leave a file if its script ran. */
async function createTool() {
	const folder = temporaryFolder();
	const [toolsFolder, cacheFolder] = [path.join(folder, 'tools'), path.join(folder, 'cache')];
	const marker = path.join(folder, 'ran');
	const write = async (file: string, content: object): Promise<void> => {
		await mkdir(path.dirname(path.join(folder, file)), {recursive: true});
		await writeFile(path.join(folder, file), JSON.stringify(content));
	};

	await write('hammer/package.json', {name: 'hammer', version: '1.0.0', scripts: {install: `node -e "fs.writeFileSync('${marker}', '')"`}});
	const dependencies = {hammer: 'file:../../hammer'};
	await write('tools/forge/package.json', {dependencies});
	await write('tools/forge/package-lock.json', {
		lockfileVersion: 3,
		packages: {
			'': {dependencies},
			'../../hammer': {version: '1.0.0', hasInstallScript: true},
			'node_modules/hammer': {resolved: '../../hammer', link: true},
		},
	});
	return {marker, cacheFolder, write, provide: async () => provideTool('forge', {toolsFolder, cacheFolder})};
}

test('a tool is installed on first use, without running a script of it, and again when its pins change', async () => {
	const {provide, cacheFolder, marker, write} = await createTool();
	const folder = await provide();
	assert.ok(existsSync(path.join(folder, 'node_modules/hammer/package.json')));
	assert.ok(!existsSync(marker));
	await writeFile(path.join(folder, 'kept'), '');
	assert.equal(await provide(), folder);
	assert.ok(existsSync(path.join(folder, 'kept')));

	await write('tools/forge/package.json', {description: 'Without the hammer'});
	await write('tools/forge/package-lock.json', {lockfileVersion: 3, packages: {'': {}}});
	const other = await provide();
	assert.ok(!existsSync(path.join(other, 'node_modules/hammer')));
	assert.deepEqual(await readdir(cacheFolder), [folder, other].map(place => path.basename(place)).toSorted());
});

test('two runs that need a tool at once get the same one', async () => {
	const {provide, cacheFolder} = await createTool();
	const [first, second] = await Promise.all([provide(), provide()]);
	assert.equal(first, second);
	assert.ok(existsSync(path.join(first, 'node_modules/hammer/package.json')));
	assert.deepEqual(await readdir(cacheFolder), [path.basename(first)]);
});

test('a tool that cannot be installed is an error that says so and why, and leaves nothing', async () => {
	const {provide, cacheFolder, write} = await createTool();
	await write('tools/forge/package.json', {dependencies: {anvil: 'file:../../anvil'}});
	await assert.rejects(provide(), /^Error: npm could not install the tool “forge”\. .*anvil/s);
	assert.deepEqual(await readdir(cacheFolder), []);
});
