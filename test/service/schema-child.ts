import process from 'node:process';
import {toSwitchboardError} from '../../source/interface/errors.ts';
import {startService} from '../../source/service/service.ts';
import type {SchemaVersions} from '../../source/service/store/database-version.ts';
import * as postgres from '../../source/service/store/postgres/schema.ts';
import * as sqlite from '../../source/service/store/sqlite/schema.ts';

/*
Serves a data folder or a database, as the present version or as a made-up next one, whose schema has one step more. Says where it listens
and what it noted, or why it could not start.
*/

const [location = '', version] = process.argv.slice(2);
if (version === 'next') {
	for (const [{steps, versions}, step] of [
		[sqlite, "alter table installed add column made_up text not null default 'new'"],
		[postgres, 'alter table switchboard.installed add column made_up text collate "C" not null default \'new\''],
	] as const) {
		(steps as string[]).push(step);
		(versions as {-readonly [Name in keyof SchemaVersions]: number}).present++;
	}
}

try {
	const {baseAddress, notes, close} = await startService({location});
	const stop = async (): Promise<void> => {
		await close();
		process.disconnect();
	};

	process.once('SIGTERM', () => {
		void stop();
	});
	process.send?.({baseAddress, notes});
} catch (error) {
	process.send?.({message: toSwitchboardError(error).message, kind: toSwitchboardError(error).kind});
	process.disconnect();
}
