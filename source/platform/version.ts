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
The version in `package.json`; `development` if the sources run unbundled. The bundler looks for the global `process`: an
import would have another name.
*/
// eslint-disable-next-line n/prefer-global/process
export const version = process.env.SWITCHBOARD_VERSION ?? 'development';
