import envPaths from 'env-paths';

/**
The folders of this program on this platform, as `env-paths` and `conf` place them; on Linux they follow
`XDG_CONFIG_HOME`, `XDG_CACHE_HOME` and `XDG_STATE_HOME`. None of them need exist.
*/
export const userFolders = (): {readonly config: string; readonly cache: string; readonly log: string} =>
	envPaths('switchboard', {suffix: ''});
