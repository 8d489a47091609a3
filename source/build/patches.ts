import {readFile} from 'node:fs/promises';
import {isBuiltin} from 'node:module';
import path from 'node:path';
import process from 'node:process';
import {promisify} from 'node:util';
import type {BuildOptions, Plugin} from 'esbuild';
import {narrowCharacters} from '../terminal/narrow-text.ts';

/*
Changes that the bundle makes to the packages in it, so that the program starts and draws quickly, and works where one compiled part is
missing.
*/

type Changes = Readonly<Record<string, string | ReadonlyArray<readonly [before: string, after: string]>>>;

/**
Changes files of a package as they are bundled, by their paths in it: each replaces texts, or is a text that takes the place of the whole file.
The build fails if a text to be replaced does not occur exactly once, or if a bundle with the package lacks one of the files: the package was
changed, and its patches have to be reviewed.
*/
export function patchPackage(name: string, changes: Changes): Plugin {
	return {
		name: `patch-${name}`,
		setup(bundler) {
			const seen = new Set<string>();
			bundler.onLoad(
				{filter: new RegExp(String.raw`[/\\]node_modules[/\\]${name.replace('/', String.raw`[/\\]`)}[/\\].*\.[cm]?js$`)},
				async ({path: file}) => {
					const found = file.replaceAll(path.sep, '/').split(`/node_modules/${name}/`).at(-1)!;
					seen.add(found);
					if (!Object.hasOwn(changes, found)) {
						return undefined;
					}

					const change = changes[found]!;
					if (typeof change === 'string') {
						return {contents: change, resolveDir: path.dirname(file)};
					}

					let contents = await readFile(file, 'utf8');
					for (const [before, after] of change) {
						const parts = contents.split(before);
						if (parts.length !== 2) {
							throw new Error(`${name}/${found} was changed: this is there ${parts.length - 1} times instead of once:\n${before}`);
						}

						contents = parts.join(after);
					}

					return {contents};
				},
			);
			bundler.onEnd(() => {
				const missing = Object.keys(changes).filter(file => !seen.has(file));
				return seen.size === 0 || missing.length === 0
					? {}
					: {errors: [{text: `There is no ${name}/${missing.join(', ')} any more: review the patches.`}]};
			});
		},
	};
}

/** The parts of packages that the program never runs, by package and file: half a megabyte, which would also have to be loaded. */
const unusedParts: Readonly<Record<string, Changes>> = {
	// Ink loads React's developer tools where `DEV` is set.
	ink: {'build/devtools.js': 'export {};'},
	// The terminal follows signals and exits itself: Ink's would end the process by a signal that someone listened to once.
	'signal-exit': {'index.js': 'module.exports = () => () => undefined;'},
	// Requests use no HTTP/2, which would load Node.js's, and no cache of answers or addresses.
	got: {
		'dist/source/core/index.js': [
			[
				"import CacheableRequest, { CacheError as CacheableCacheError, } from 'cacheable-request';",
				'class CacheableRequest {}\nclass CacheableCacheError extends Error {}',
			],
			[
				"import { Http2ServerResponse, constants as http2Constants } from 'node:http2';",
				'class Http2ServerResponse {}\nconst http2Constants = {};',
			],
		],
		'dist/source/core/options.js': [
			["import DnsCache from './utils/dns-cache.js';", 'class DnsCache {}'],
			["import http2Client from './utils/http2-client.js';", 'const http2Client = {};'],
		],
	},
	// The settings are checked with our own schema, and have no migrations.
	conf: {
		'dist/source/index.js': [
			["import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';", ''],
			["import ajvFormatsModule from 'ajv-formats';", ''],
			["import semver from 'semver';", ''],
		],
	},
	// TypeBox checks the requests, requests are logged by `observe-requests.ts`, and `inject` answers requests that a test makes up. The lock
	// decides which versions of plugins are together.
	fastify: {
		'fastify.js': [["lightMyRequest = require('light-my-request')", "throw new Error('This program cannot inject requests.')"]],
		'lib/schema-controller.js': [["require('@fastify/ajv-compiler')", '() => undefined']],
		'lib/logger-factory.js': [["require('./logger-pino.js')", '{}']],
		'lib/plugin-utils.js': [["require('semver')", '{satisfies: () => true}']],
	},
	// The schemas of answers are ours, and have no alternatives, which a validator would try.
	'fast-json-stringify': {'lib/validator.js': 'module.exports = {};', 'lib/schema-validator.js': 'module.exports = () => true;'},
	// No route has a pattern that might be slow.
	'find-my-way': {'index.js': [["require('safe-regex2')", '() => true']]},
	// The trusted proxies are a function of our own.
	'@fastify/proxy-addr': {'index.js': [["require('ipaddr.js')", '{}']]},
	'json-schema-resolver': {'ref-resolver.js': [["require('debug')('json-schema-resolver')", '() => undefined']]},
	// Counters, gauges and histograms are requested by Prometheus; none has examples from traces.
	'prom-client': {
		'index.js': [
			["exports.Summary = require('./lib/summary');", ''],
			["exports.Pushgateway = require('./lib/pushgateway');", ''],
		],
		'lib/metrics/processCpuTotal.js': [["const OtelApi = require('@opentelemetry/api');", '']],
	},
	// The compiled client of PostgreSQL.
	pg: {'lib/native/index.js': 'module.exports = undefined;'},
	// The SDK brings a whole JSON Schema validator for answers to questions that a server asks its client; ours asks none, and checks the
	// arguments of its tools itself.
	'@modelcontextprotocol/server': {
		'dist/shimsNode.mjs': `export {default as process} from 'node:process';
		export class DefaultJsonSchemaValidator {
			getValidator() {
				throw new Error('This program has no JSON Schema validator.');
			}
		}`,
	},
	// The server works without ssh2's client and agents, the parts that are compiled for one platform or are WebAssembly, for a cipher that is
	// not offered, without SFTP and without keys that have a passphrase: the server refuses both.
	ssh2: {
		'lib/index.js': `module.exports = {
			Server: require('./server.js'),
			utils: {parseKey: require('./protocol/keyParser.js').parseKey, ...require('./keygen.js')},
		};`,
		'lib/protocol/SFTP.js': 'module.exports = {};',
		'lib/protocol/crypto/poly1305.js': 'module.exports = async () => ({_malloc: () => 0, cwrap: () => () => undefined});',
	},
	'bcrypt-pbkdf': {'index.js': 'module.exports = {};'},
};

/** Leaves out of the bundle what the program never runs. */
export const leaveOutUnused: readonly Plugin[] = [
	...Object.entries(unusedParts).map(([name, changes]) => patchPackage(name, changes)),
	{
		name: 'compiled-parts',
		setup(bundler) {
			bundler.onResolve({filter: /^cpu-features$|\/sshcrypto\.node$/}, ({path: name}) => ({path: name, namespace: 'compiled-part'}));
			bundler.onLoad({filter: /./, namespace: 'compiled-part'}, () => ({contents: 'throw new Error("This is not part of the package.");'}));
		},
	},
];

const [plainOutput, narrowText] = ['plain-output.ts', 'narrow-text.ts'].map(file =>
	JSON.stringify(path.join(import.meta.dirname, '../terminal', file)),
) as [string, string];

/**
Ink has kept the cells of a frame since https://github.com/vadimdemedes/ink/pull/564, and caches of them for one frame since pull 835.
*/
const inkPatches = patchPackage('ink', {
	'build/sanitize-ansi.js': [
		[
			'const sanitizeAnsi = (text) => {',
			`import { isNarrow } from ${narrowText};
const sanitizeAnsi = (text) => {
    if (isNarrow(text)) {
        return text;
    }`,
		],
	],
	'build/renderer.js': [
		[
			"import Output from './output.js';",
			`import InkOutput from './output.js';
import { withPlainFrames } from ${plainOutput};
const Output = withPlainFrames(InkOutput);`,
		],
	],
});

/**
V8 takes 50 ms to prepare the pattern of all emoji. The signs that the screens are made of need neither it nor a segmenter. Upstream
chose the pattern in place of a package with its own list in https://github.com/sindresorhus/string-width/issues/63.
*/
const stringWidthPatches = patchPackage('string-width', {
	'index.js': [
		[String.raw`const rgiEmojiRegex = /^\p{RGI_Emoji}$/v;`, 'let rgiEmojiRegex;'],
		['rgiEmojiRegex.test(', String.raw`(rgiEmojiRegex ??= /^\p{RGI_Emoji}$/v).test(`],
		[String.raw`/^[\u0020-\u007E]*$/`, `/^[${narrowCharacters}]*$/`],
	],
});

const sshPatches = patchPackage('ssh2', {
	// A channel that nothing was started on is recognized by the name of its class, which a bundle does not keep.
	'lib/utils.js': [["channel.constructor.name === 'Session'", 'channel._chanInfo !== undefined']],
	// Data that waited for the window stays known after it was sent: with the next room, old output would go out once more, and that of
	// standard error would wait for ever.
	'lib/server.js': [
		[
			`if (channel._chunk) {
              channel._write(channel._chunk, null, channel._chunkcb);
            } else if (channel._chunkcb) {
              channel._chunkcb();
            } else if (channel._chunkErr) {
              channel.stderr._write(channel._chunkErr,
                                    null,
                                    channel._chunkcbErr);
            } else if (channel._chunkcbErr) {
              channel._chunkcbErr();
            }`,
			`const {_chunk, _chunkcb, _chunkErr, _chunkcbErr} = channel;
            channel._chunk = undefined;
            channel._chunkcb = undefined;
            channel._chunkErr = undefined;
            channel._chunkcbErr = undefined;
            if (_chunk) {
              channel._write(_chunk, null, _chunkcb);
            }
            if (_chunkErr) {
              channel.stderr._write(_chunkErr, null, _chunkcbErr);
            }`,
		],
	],
});

/** Their functions are rarely called, and take milliseconds to load: commander alone imports the first. */
const loadedAtFirstCall: ReadonlySet<string> = new Set(['node:child_process', 'node:readline']);

/**
Takes from Node.js's own modules only what is used. Imported as an ES module, one is given all its exports at once, and those
that load on first use are loaded then: `node:http` alone brings in undici, which nothing here uses.
*/
const builtinsOnUse: Plugin = {
	name: 'builtins-on-use',
	setup(bundler) {
		bundler.onResolve({filter: /./}, ({path: name, importer, kind}) =>
			kind === 'import-statement' && isBuiltin(name)
				? // One for each importer: a module that several chunks share would be a separate file.
					{path: name, suffix: `?${importer}`, namespace: 'builtin', sideEffects: false}
				: undefined,
		);
		bundler.onLoad({filter: /./, namespace: 'builtin'}, ({path: name}) => {
			// The entry point must load in a Node.js that is too old to have `getBuiltinModule`.
			const builtin = name === 'node:process' ? 'globalThis.process' : `process.getBuiltinModule(${JSON.stringify(name)})`;
			const loaded = process.getBuiltinModule(name)!;
			const names = Object.keys(loaded).filter(each => /^[a-z]\w*$/i.test(each) && each !== 'default');
			const taken = (each: string): string => `export const ${each} = /* @__PURE__ */ (() => builtin.${each})();`;
			// `promisify` must find what it is to call in place of such a function.
			const isPlain = (each: string): boolean => !Object.hasOwn(Object(Reflect.get(loaded, each)) as object, promisify.custom);
			const later = (each: string): string =>
				isPlain(each) ? `export const ${each} = (...given) => ${builtin}.${each}(...given);` : taken(each);
			const isLater = loadedAtFirstCall.has(name);
			const contents = [
				`const builtin = /* @__PURE__ */ ${builtin};`,
				isLater ? `export default {${names.filter(each => isPlain(each)).join(', ')}};` : 'export default builtin;',
				...names.map(each => (isLater ? later(each) : taken(each))),
			];
			return {contents: contents.join('\n'), loader: 'js'};
		});
	},
};

/** How packages are bundled, in the program and in its tests. */
export const packageOptions = {
	plugins: [...leaveOutUnused, inkPatches, stringWidthPatches, sshPatches, builtinsOnUse],
	define: {'Intl.Segmenter': 'LazySegmenter', 'Intl.ListFormat': 'LazyListFormat'},
	inject: [path.join(import.meta.dirname, 'lazy-intl.ts')],
	// An import of types alone must not load the module.
	tsconfigRaw: {compilerOptions: {verbatimModuleSyntax: false}},
} satisfies BuildOptions;
