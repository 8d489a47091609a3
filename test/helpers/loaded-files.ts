import {spawn} from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import {text} from 'node:stream/consumers';

const root = path.resolve(import.meta.dirname, '../..');

/** The addresses of the files that a process loads for a module. */
export const filesLoadedBy = async (specifier: string): Promise<readonly string[]> => {
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

/** The packages that the files belong to. */
export const packagesOf = (urls: readonly string[]): ReadonlySet<string> => new Set(urls
	.map(url => /\/node_modules\/(?<name>(?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(url)?.groups?.['name'])
	.filter(name => name !== undefined));
