import {assert, path, process, spawn, test, text} from '../helpers/node.ts';

const root = path.resolve(import.meta.dirname, '../..');

const sourceAddress = new URL('../../source/', import.meta.url).href;

/** The addresses of the files that a process loads for a module. */
const filesLoadedBy = async (specifier: string): Promise<readonly string[]> => {
	const script = String.raw`
		import {registerHooks} from 'node:module';
		const urls = [];
		registerHooks({load(url, context, nextLoad) {
			urls.push(url);
			return nextLoad(url, context);
		}});
		await import(${JSON.stringify(specifier)});
		process.stdout.write(urls.filter(url => url.startsWith('file:')).join('\n'));
	`;
	// Without a transpiler, which would bring files of its own: Node.js takes the types away itself.
	const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {cwd: root, stdio: ['ignore', 'pipe', 'inherit']});
	return (await text(child.stdout)).split('\n').map(url => decodeURIComponent(url));
};

const packageOf = (url: string): string | undefined =>
	/\/node_modules\/(?<name>(?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(url)?.groups?.['name'];

test('the client loads no packages but got and its dependencies', async () => {
	const [ours, gots] = await Promise.all([
		filesLoadedBy(new URL('../../source/client/client.ts', import.meta.url).href),
		filesLoadedBy(import.meta.resolve('got')),
	]);
	const packages = new Set(ours.map(url => packageOf(url)).filter(name => name !== undefined));
	assert.deepEqual(packages, new Set(gots.map(url => packageOf(url))));
	const rooms = ours.filter(url => url.startsWith(sourceAddress)).map(url => url.slice(sourceAddress.length).split('/', 1)[0]);
	assert.deepEqual(new Set(rooms), new Set(['client', 'interface']));
});
