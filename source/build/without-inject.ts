import {type Plugin} from 'esbuild';

/** Fastify's `inject` answers requests that a test makes up, without a connection; no service has a use for it. */
export const withoutInject: Plugin = {
	name: 'without-inject',
	setup(bundler) {
		bundler.onLoad({filter: /[/\\]node_modules[/\\]light-my-request[/\\]index\.js$/}, () => ({
			contents: 'throw new Error("This program cannot inject requests.");',
			loader: 'js',
		}));
	},
};
