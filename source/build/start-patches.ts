import {isBuiltin} from 'node:module';
import path from 'node:path';
import process from 'node:process';
import {type BuildOptions, type Plugin} from 'esbuild';
import {patchPackage} from './patch-package.ts';

/*
What packages prepare as they load, whether it is used or not, is a good part of the time until the first frame. These changes
put it off until it is used.
*/

const exportOf = (name: string): string => `export const ${name} = /* @__PURE__ */ (() => builtin.${name})();`;

/**
Takes from Node.js's own modules only what is used. Imported as an ES module, one is given all its exports at once, and those
that load on first use are loaded then: `node:http` alone brings in undici, which nothing here uses.
*/
const builtinsOnUse: Plugin = {
	name: 'builtins-on-use',
	setup(bundler) {
		bundler.onResolve({filter: /./}, ({path: name, importer, kind}) =>
			// The entry point must load in a Node.js that is too old to have this function.
			kind === 'import-statement' && isBuiltin(name) && path.basename(importer) !== 'cli.ts'
				// One for each importer: a module of its own that several chunks share would be a file of its own.
				? {
					path: name, suffix: `?${importer}`, namespace: 'builtin', sideEffects: false,
				}
				: undefined);
		bundler.onLoad({filter: /./, namespace: 'builtin'}, ({path: name}) => {
			const names = Object.keys(process.getBuiltinModule(name)!).filter(each => /^[a-z]\w*$/i.test(each) && each !== 'default');
			return {
				contents: [
					`const builtin = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(name)});`,
					'export default builtin;',
					...names.map(each => exportOf(each)),
				].join('\n'),
				loader: 'js',
			};
		});
	},
};

const packages = [
	patchPackage('yoga-layout', [{
		// It decodes its WebAssembly with `fetch`, which loads undici.
		file: 'yoga-layout/dist/binaries/yoga-wasm-base64-esm.js',
		changes: [
			['function ya(){return w||"function"!=typeof fetch?', 'function ya(){return true?'],
			['var b=xa(a.slice(37)),c=new Uint8Array(b.length);for(a=0;a<b.length;++a)c[a]=b.charCodeAt(a);var d=c', 'var d=Buffer.from(a.slice(37),"base64")'],
		],
	}]),
	patchPackage('got', [{
		// We never ask for HTTP/2, which is a library of its own.
		file: 'got/dist/source/core/options.js',
		changes: [
			['import http2Client from \'./utils/http2-client.js\';', 'const http2Client = {};'],
			// Nor for answers to be kept of the names of machines.
			['import DnsCache from \'./utils/dns-cache.js\';', 'class DnsCache {}'],
		],
	}, {
		file: 'got/dist/source/core/index.js',
		changes: [['import { Http2ServerResponse, constants as http2Constants } from \'node:http2\';', 'class Http2ServerResponse {} const http2Constants = {};']],
	}]),
	patchPackage('commander', [{
		// No command of ours is a program of its own.
		file: 'commander/lib/command.js',
		changes: [['import childProcess from \'node:child_process\';', 'const childProcess = {};']],
	}]),
	patchPackage('string-width', [{
		// V8 takes 50 ms to prepare the pattern of all emoji. The signs that the screens are made of need neither it nor a segmenter.
		file: 'string-width/index.js',
		changes: [
			[String.raw`const rgiEmojiRegex = /^\p{RGI_Emoji}$/v;`, 'let rgiEmojiRegex;'],
			['rgiEmojiRegex.test(', String.raw`(rgiEmojiRegex ??= /^\p{RGI_Emoji}$/v).test(`],
			[String.raw`/^[\u0020-\u007E]*$/`, String.raw`/^[\u0020-\u007E\u00A1-\u00AC\u00AE-\u02FF\u2010-\u2027\u2190-\u21FF\u2500-\u257F\u25A0-\u25FC]*$/`],
		],
	}]),
];

/** What the bundle needs so that it starts quickly. */
export const startPatches = {
	plugins: [builtinsOnUse, ...packages],
	define: {'Intl.Segmenter': 'LazySegmenter', 'Intl.ListFormat': 'LazyListFormat'},
	inject: [path.join(import.meta.dirname, 'lazy-intl.ts')],
	// An import of types alone must not load the module.
	tsconfigRaw: {compilerOptions: {verbatimModuleSyntax: false}},
} satisfies BuildOptions;
