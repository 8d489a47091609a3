import {existsSync} from 'node:fs';

/** A free name beside a file that is set aside, with the time in it. */
export const asideName = (file: string): string => {
	const base = `${file}.broken-${new Date().toISOString().replaceAll(/[.:]/g, '-')}`;
	let name = base;
	for (let number = 2; existsSync(name); number++) {
		name = `${base}-${number}`;
	}

	return name;
};
