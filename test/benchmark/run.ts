import {path, process} from '../helpers/node.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {skipWithoutPostgres, startPostgres} from '../helpers/postgres.ts';
import {tableOf, type Figure} from './figures.ts';
import {measureScreens, screenParts} from './screen-figures.ts';
import {serviceFigures} from './service/service-figures.ts';

/* Measures the parts of the table that the command line names; without one, all. */

const chosen = process.argv.slice(2);
const partNames = [...screenParts, 'service'];
const unknown = chosen.filter(name => !partNames.includes(name));
if (unknown.length > 0) {
	throw new Error(`There is no ${unknown.join(', ')}: the parts are ${partNames.join(', ')}.`);
}

const isWanted = (name: string): boolean => chosen.length === 0 || chosen.includes(name);
const rounds = Number(process.env['ROUNDS'] ?? 9);
const home = createIsolatedHome();
const figures: Figure[] = [];
async function note(more: Promise<readonly Figure[]>): Promise<void> {
	const added = await more;
	figures.push(...added);
	console.error(tableOf(added).slice(1).join('\n'));
}

const started = Date.now();
const wantedScreens = screenParts.filter(name => isWanted(name));
if (wantedScreens.length > 0) {
	await measureScreens(wantedScreens, home, rounds, note);
}

if (isWanted('service')) {
	await note(serviceFigures(home, 'SQLite', path.join(home.folder, 'service')));
	if (skipWithoutPostgres === false) {
		// What is answered is on the disk, as with SQLite.
		const server = await startPostgres({fsync: true});
		await note(serviceFigures(home, 'PostgreSQL', await server.createDatabase()));
		await server.stop();
	} else {
		console.error(`Not measured: ${skipWithoutPostgres}.`);
	}
}

const seconds = Math.round((Date.now() - started) / 1000);
console.log(wantedScreens.length > 0 ? `medians of ${rounds} starts, 80×24, in ${seconds} s\n` : `in ${seconds} s\n`);
console.log(tableOf(figures).join('\n'));
