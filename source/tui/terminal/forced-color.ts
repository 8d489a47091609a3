import process from 'node:process';

/**
Loads what draws with Ink, so that its styles come out whole whatever `CI`, `NO_COLOR`, `TERM` or an option say: what the
terminal can show is decided in one place, the frame writer. Chalk reads the environment once, while it is loaded, and
would take bold and inverse away together with the colours. Nothing of this is left in the environment afterwards.
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
