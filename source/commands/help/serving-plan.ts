import type {HelpTopic} from './topic.ts';

/** What one process does on two cores, beside what asks it (`npm run bench -- service`), rounded down. */
const measured = {
	unchangedListsPerSecond: 3000,
	togglesPerSecond: 800,
	/** The sample home, with the files of its abilities and without pictures. */
	kilobytesPerHome: 45,
};

/** What is planned for. */
const homes = 1000;
const clientsPerHome = 50;
const changesPerHomeAndHour = 20;
const pollSeconds = 15;

const clients = homes * clientsPerHome;
const pollsPerSecond = clients / pollSeconds;
const changesPerSecond = homes * changesPerHomeAndHour / 3600;
const readsPerSecond = changesPerSecond * clientsPerHome;
const processes = Math.ceil((pollsPerSecond + readsPerSecond) * 2 / measured.unchangedListsPerSecond);

const rounded = (value: number): string => (value < 100 ? Math.ceil(value) : Math.ceil(value / 100) * 100).toLocaleString('en');

/** What a large installation needs, as far as it can be told on paper. */
export const servingPlan: HelpTopic = [
	`What ${rounded(homes)} homes with ${clientsPerHome} clients each need, with ${changesPerHomeAndHour} changes an hour in each home:`,
	{
		items: [
			['requests', `${rounded(clients)} clients that ask for a list every ${pollSeconds} s make ${rounded(pollsPerSecond)} requests a second, nearly all answered with 304. ${rounded(changesPerSecond)} changes a second are read by the clients of their homes: ${rounded(readsPerSecond)} short lists a second`],
			['processes', `one on two cores answers ${rounded(measured.unchangedListsPerSecond)} unchanged lists or ${rounded(measured.togglesPerSecond)} changes a second. With as much to spare as is used: ${processes}, on PostgreSQL`],
			['connections', 'a process takes 512. A proxy needs a few dozen to each and keeps them open; the clients\' own end there. A stream of /events is a connection for as long as it lasts: a process has room for 256 of them, and other clients poll'],
			['database', `a home like the sample takes ${measured.kilobytesPerHome} KB, all of them ${rounded(homes * measured.kilobytesPerHome / 1000)} MB; pictures and earlier versions come on top. A poll reads one row, a change writes a few`],
		],
	},
	'Measure your own machine with npm run bench -- service in a checkout.',
];
