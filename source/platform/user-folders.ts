import process from 'node:process';
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

/** The environment variable that moves the data folder; `undefined` on macOS, where only the home folder does. */
export const dataFolderVariable = (): string | undefined => {
	switch (process.platform) {
		case 'darwin': {
			return undefined;
		}

		case 'win32': {
			return 'LOCALAPPDATA';
		}

		default: {
			return 'XDG_DATA_HOME';
		}
	}
};
