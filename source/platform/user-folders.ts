import envPaths from 'env-paths';

type UserFolders = {
	readonly config: string;
	readonly cache: string;
	readonly data: string;
	readonly log: string;
};

/**
This program's folders on this platform, as chosen by `env-paths` and `conf`. On Linux they follow `XDG_CONFIG_HOME`,
`XDG_CACHE_HOME`, `XDG_DATA_HOME` and `XDG_STATE_HOME`. They need not exist.
*/
export const userFolders = (): UserFolders => envPaths('switchboard', {suffix: ''});
