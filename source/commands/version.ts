declare global {
	// eslint-disable-next-line @typescript-eslint/no-namespace
	namespace NodeJS {
		// eslint-disable-next-line @typescript-eslint/consistent-type-definitions
		interface ProcessEnv {
			/** Put in place by the bundler (`source/build/build.ts`), which needs it named in this very way. */
			SWITCHBOARD_VERSION?: string;
		}
	}
}

/**
The version in `package.json`; `development` if the sources run as they are. The bundler looks for the global
`process`: an import of it would be another name.
*/
// eslint-disable-next-line n/prefer-global/process
export const version = process.env.SWITCHBOARD_VERSION ?? 'development';
