import {assert, DatabaseSync, path, readFileSync, statSync, test} from '../helpers/node.ts';
import {startService} from '../../source/service/service.ts';
import {checkStore} from '../../source/service/store/maintenance.ts';
import {temporaryDataFolder, waitUntil} from './kit.ts';

const warningPattern =
	/^The log of the database, \S+switchboard\.db-wal, has grown to \d+ MB: a program that has been reading .+ End that program\. To find it, run: lsof \S+switchboard\.db$/;

test('a log of the database that a reader lets grow past 64 MB is warned of once, until it is short again, and by check', async () => {
	const folder = temporaryDataFolder();
	const file = path.join(folder, 'switchboard.db');
	const reports: string[] = [];
	const service = await startService({
		location: folder,
		ephemeralKey: 'sb_own',
		checkIntervalMilliseconds: 20,
		report(text) {
			reports.push(text);
		},
	});
	const findLogProblems = async () => {
		const {findings} = await checkStore(folder);
		return findings.filter(({kind, message}) => kind === 'space' && message.includes('-wal'));
	};

	using writer = new DatabaseSync(file, {timeout: 5000, enableForeignKeyConstraints: false});
	using reader = new DatabaseSync(file, {readOnly: true, timeout: 5000});
	const write = (id: number, megabytes: number): void => {
		writer.exec(`insert into release_files (release_id, path, content) values (${id}, 'a', zeroblob(${megabytes} * 1024 * 1024))`);
	};

	for (const episode of [1, 2]) {
		reader.exec('begin');
		reader.prepare('select count(*) from accounts').get();
		write(episode * 10, 40);
		assert.deepEqual(await findLogProblems(), []);
		write(episode * 10 + 1, 40);
		await waitUntil(() => reports.length === episode);
		write(episode * 10 + 2, 4);
		const [problem, ...others] = await findLogProblems();
		assert.deepEqual([problem!.severity, others], ['problem', []]);
		assert.match(problem!.message, warningPattern);
		reader.exec('commit');
		await waitUntil(() => statSync(`${file}-wal`).size < 1024 * 1024);
		writer.exec('delete from release_files');
	}

	await service.close();
	assert.equal(reports.length, 2);
	for (const text of reports) {
		assert.match(text, warningPattern);
	}

	const logged = readFileSync(path.join(folder, 'service.log'), 'utf8')
		.trim()
		.split('\n')
		.map(line => (JSON.parse(line) as {warning: string}).warning);
	assert.deepEqual(logged, reports);
});
