import type {HelpTopic} from './topic.ts';

/** The sample home in a SQLite file, with the files of its abilities and without pictures: measured as a hundred of them. */
const kilobytesPerHome = 45;

/** What is planned for. */
const homes = 1000;
const clientsPerHome = 50;
const changesPerHomeAndHour = 20;
const pollSeconds = 15;

const clients = homes * clientsPerHome;
const pollsPerSecond = clients / pollSeconds;
const changesPerSecond = homes * changesPerHomeAndHour / 3600;
const readsPerSecond = changesPerSecond * clientsPerHome;

const rounded = (value: number): string => (value < 100 ? Math.ceil(value) : Math.ceil(value / 100) * 100).toLocaleString('en');

/** What a large installation needs, as far as it can be told on paper. */
export const servingPlan: HelpTopic = [
	`What ${rounded(homes)} homes with ${clientsPerHome} clients each need, with ${changesPerHomeAndHour} changes an hour in each home:`,
	{
		items: [
			['requests', `${rounded(clients)} clients that ask for a list every ${pollSeconds} s make ${rounded(pollsPerSecond)} requests a second, nearly all answered with 304. ${rounded(changesPerSecond)} changes a second are read by the clients of their homes: ${rounded(readsPerSecond)} short lists a second`],
			['processes', 'what one answers a second depends on the machine and on the database. The benchmark measures both; run so many that half of them could do it'],
			['connections', 'a process takes 512. A proxy needs a few dozen to each and keeps them open; the clients\' own end there. A stream of /events is a connection for as long as it lasts: a process has room for 256 of them, and other clients poll'],
			['database', `a home like the sample takes ${kilobytesPerHome} KB in SQLite, all of them ${rounded(homes * kilobytesPerHome / 1000)} MB; pictures and earlier versions come on top. A poll reads one row, a change writes a few`],
		],
	},
	'The benchmark is in a checkout; nothing else should run on the machine meanwhile:',
	{lines: ['npm run bench -- service']},
];
