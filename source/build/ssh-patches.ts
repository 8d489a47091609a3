import {type Plugin} from 'esbuild';
import {patchPackage} from './patch-package.ts';

/** The parts of ssh2 that would have to be compiled for each platform. It does without them where they cannot be loaded. */
export const withoutNativeSsh: Plugin = {
	name: 'without-native-ssh',
	setup(bundler) {
		bundler.onResolve({filter: /^cpu-features$|\/sshcrypto\.node$/}, ({path: name}) => ({path: name, namespace: 'native-ssh'}));
		bundler.onLoad({filter: /./, namespace: 'native-ssh'}, () => ({contents: 'throw new Error("This is not part of the package.");'}));
	},
};

/** The server offers no cipher that needs this WebAssembly, which looks for its files where a bundle has none. */
export const sshPatches = patchPackage('ssh2', [{
	file: 'ssh2/lib/protocol/crypto.js',
	changes: [
		['POLY1305_WASM_MODULE = await require(\'./crypto/poly1305.js\')();', ''],
		['POLY1305_RESULT_MALLOC = POLY1305_WASM_MODULE._malloc(16);', ''],
		[
			`poly1305_auth = POLY1305_WASM_MODULE.cwrap(
          'poly1305_auth',
          null,
          ['number', 'array', 'number', 'array', 'number', 'array']
        );`,
			'',
		],
	],
}]);
