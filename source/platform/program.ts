import sea from 'node:sea';

declare global {
	// eslint-disable-next-line @typescript-eslint/no-namespace
	namespace NodeJS {
		// eslint-disable-next-line @typescript-eslint/consistent-type-definitions
		interface ProcessEnv {
			/** Replaced by the bundler (`source/build/build.ts`), which looks for exactly this name. */
			SWITCHBOARD_VERSION?: string;
		}
	}
}

/**
The version in `package.json`; `development` if the sources run unbundled. The bundler looks for the global `process`, so it must not be
imported.
*/
export const version = process.env.SWITCHBOARD_VERSION ?? 'development';

/** True in the single executable (`source/build/executable.ts`), which has the files of the program as assets, not on the disk. */
export const isExecutable: boolean = sea.isSea();

/** The asset that the executable and its threads start with (`source/build/executable-start.ts`). */
export const startAsset = 'start.cjs';
