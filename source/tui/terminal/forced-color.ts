import process from 'node:process';

/**
Loads a module that draws with Ink so that it outputs all styles, whatever `CI`, `NO_COLOR`, `TERM` or an option say: the
frame writer alone decides what the terminal can display. Chalk reads the environment once, while it loads, and would
drop bold and inverse together with the colours. The environment is restored afterwards.
*/
export const loadWithForcedColor = async <Module>(load: () => Promise<Module>): Promise<Module> => {
	const before = process.env['FORCE_COLOR'];
	process.env['FORCE_COLOR'] = '3';
	try {
		return await load();
	} finally {
		if (before === undefined) {
			delete process.env['FORCE_COLOR'];
		} else {
			process.env['FORCE_COLOR'] = before;
		}
	}
};
