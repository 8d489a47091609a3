import type {HelpTopic} from './topic.ts';

/** The sample home in a SQLite file, with the files of its abilities and without pictures: the average of a hundred. */
const kilobytesPerHome = 45;

/** What is planned for. */
const homes = 1000;
const clientsPerHome = 50;
const changesPerHomeAndHour = 20;
const pollSeconds = 15;

/** What a process takes (`lineLimits` of the service). */
const connections = 4096;
const streams = 3072;

/** What one process answered in a second, as `npm run bench -- service` measured in November 2026 on two cores, which it shared with a hundred clients. */
const measured = {
	sqlite: {unchangedLists: 43_900, shortLists: 37_400, changes: 20_600},
	postgres: {unchangedLists: 42_200, shortLists: 32_500, changes: 10_900},
};

const clients = homes * clientsPerHome;
const pollsPerSecond = clients / pollSeconds;
const changesPerSecond = homes * changesPerHomeAndHour / 3600;
const readsPerSecond = changesPerSecond * clientsPerHome;

/** The part of its time that a process needs for all of these requests, in percent. */
const busyPercent = ({unchangedLists, shortLists, changes}: typeof measured.sqlite): number =>
	100 * (((pollsPerSecond - readsPerSecond) / unchangedLists) + (readsPerSecond / shortLists) + (changesPerSecond / changes));

const formatted = (value: number): string => value.toLocaleString('en');

const rounded = (value: number): string => formatted(value < 100 ? Math.ceil(value) : Math.ceil(value / 100) * 100);

/** An estimate of what a large installation needs. */
export const servingPlan: HelpTopic = [
	`What ${rounded(homes)} homes with ${clientsPerHome} clients each need, with ${changesPerHomeAndHour} changes an hour in each home:`,
	{
		items: [
			['requests', `${rounded(clients)} clients that ask for a list every ${pollSeconds} s make ${rounded(pollsPerSecond)} requests a second, nearly all answered with 304. ${rounded(changesPerSecond)} changes a second are read by the clients of their homes: ${rounded(readsPerSecond)} short lists a second`],
			['processes', `in the benchmark, on two cores that it shared with 100 clients, a process answered ${formatted(measured.sqlite.unchangedLists)} unchanged lists a second from SQLite and ${formatted(measured.postgres.unchangedLists)} from PostgreSQL, and stored ${formatted(measured.sqlite.changes)} and ${formatted(measured.postgres.changes)} changes: these requests take ${Math.ceil(busyPercent(measured.sqlite))} or ${Math.ceil(busyPercent(measured.postgres))} % of the time of one process. Plan twice that for TLS, logs and slower machines, and run two, so that one can stop`],
			['connections', `a process takes ${formatted(connections)}. A proxy keeps a few dozen open to each process for requests. A stream of /events takes a connection for as long as it lasts, and a process has room for ${formatted(streams)} of them; clients that get none poll. For a stream to each client, run ${Math.ceil(clients / streams)} processes`],
			['database', `a home like the sample takes ${kilobytesPerHome} KB in SQLite, all of them ${rounded(homes * kilobytesPerHome / 1000)} MB; pictures and earlier versions come on top. A poll reads one row, a change writes a few`],
		],
	},
	'The benchmark comes with the source code. Run nothing else on the machine meanwhile:',
	{lines: ['npm run bench -- service']},
];
