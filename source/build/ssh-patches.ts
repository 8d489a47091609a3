import {type Plugin} from 'esbuild';
import {patchPackage} from './patch-package.ts';

/** The server of ssh2 alone: no client, no agents, and not the parts that are compiled for one platform, without which it works as well. */
export const sshServerAlone: Plugin = {
	name: 'ssh-server-alone',
	setup(bundler) {
		bundler.onResolve({filter: /^cpu-features$|\/sshcrypto\.node$/}, ({path: name}) => ({path: name, namespace: 'compiled-ssh'}));
		bundler.onLoad({filter: /./, namespace: 'compiled-ssh'}, () => ({contents: 'throw new Error("This is not part of the package.");'}));
		bundler.onLoad({filter: /[/\\]node_modules[/\\]ssh2[/\\]lib[/\\]index\.js$/}, () => ({
			contents: `module.exports = {
				Server: require('./server.js'),
				utils: {parseKey: require('./protocol/keyParser.js').parseKey, ...require('./keygen.js')},
			};`,
		}));
	},
};

export const sshPatches = patchPackage('ssh2', [{
	// A channel that nothing was started on is told by the name of its class, which a bundle does not keep.
	file: 'ssh2/lib/utils.js',
	changes: [['channel.constructor.name === \'Session\'', 'channel._chanInfo !== undefined']],
}, {
	// What waited for the window stays known after it was sent: with the next room, old output would go out once more, and that of standard error would wait for ever.
	file: 'ssh2/lib/server.js',
	changes: [[
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
	]],
}, {
	// The server offers no cipher that needs this WebAssembly, which looks for its files where a bundle has none.
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
