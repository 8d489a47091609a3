import process from 'node:process';
import {startService} from '../../source/service/service.ts';
import {toSwitchboardError} from '../../source/interface/errors.ts';
import {migrations as postgresMigrations} from '../../source/service/store/postgres/migrations.ts';
import {migrations as sqliteMigrations} from '../../source/service/store/sqlite/migrations.ts';

/*
Serves a data folder or a database, as the present version or as a made-up next one, whose schema has one step more. Says where it listens
and what it noted, or why it could not start.
*/

const [location = '', version] = process.argv.slice(2);
if (version === 'next') {
	(sqliteMigrations as string[]).push('alter table installed add column made_up text not null default \'new\'');
	(postgresMigrations as string[]).push('alter table switchboard.installed add column made_up text collate "C" not null default \'new\'');
}

try {
	const {baseAddress, notes, close} = await startService({location});
	process.once('SIGTERM', async () => {
		await close();
		process.disconnect();
	});
	process.send?.({baseAddress, notes});
} catch (error) {
	process.send?.({message: toSwitchboardError(error).message, kind: toSwitchboardError(error).kind});
	process.disconnect();
}
