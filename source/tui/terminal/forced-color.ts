import process from 'node:process';

/** With `FORCE_COLOR` beside one of these, Node.js writes a warning, which would stand on the screen. */
const opposites = ['NO_COLOR', 'NODE_DISABLE_COLORS'] as const;

/**
Loads a module that draws with Ink so that it outputs all styles, whatever `CI`, `NO_COLOR`, `TERM` or an option say: the
frame writer alone decides what the terminal can display. Chalk reads the environment once, while it loads, and would
drop bold and inverse together with the colours. The environment is restored afterwards.
*/
export const loadWithForcedColor = async <Module>(load: () => Promise<Module>): Promise<Module> => {
	const before = ['FORCE_COLOR', ...opposites].map(name => [name, process.env[name]] as const);
	process.env['FORCE_COLOR'] = '3';
	for (const name of opposites) {
		Reflect.deleteProperty(process.env, name);
	}

	try {
		return await load();
	} finally {
		for (const [name, value] of before) {
			if (value === undefined) {
				Reflect.deleteProperty(process.env, name);
			} else {
				process.env[name] = value;
			}
		}
	}
};
