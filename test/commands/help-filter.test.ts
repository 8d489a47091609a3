import {assert, Buffer, suite, test} from '../helpers/node.ts';
import {topicTexts} from '../../source/commands/help/topics.ts';
import {createServiceLog} from '../../source/service/observability/service-log.ts';
import {waitUntil} from '../helpers/wait-until.ts';
import {paths, startTestService} from '../service/running-service.ts';
import {messages, shakeHandsRaw, sshString} from '../ssh/raw-client.ts';
import {startServer} from '../ssh/running-server.ts';
import {makeKey, runClient} from '../ssh/ssh-client.ts';

/** The lines of the filter for fail2ban in `help logging`. */
const filter = topicTexts['logging']!.flatMap(part =>
	typeof part === 'object' && 'lines' in part && part.lines[0] === '[Definition]' ? [part.lines] : [],
)[0]!;

/** The expressions, as fail2ban puts them together: `<ADDR>` is an address, IPv4 or IPv6. */
const expressions = ((): readonly RegExp[] => {
	const values = new Map<string, string>();
	let name = '';
	for (const line of filter.slice(1)) {
		const {key, value} = /^(?:(?<key>\w+) = |\s+)(?<value>\S.*)$/.exec(line)!.groups!;
		name = key ?? name;
		values.set(name, [...(values.has(name) ? [values.get(name)!] : []), value!].join('\n'));
	}

	return values
		.get('failregex')!
		.split('\n')
		.map(
			text =>
				new RegExp(
					text
						.replace('%(_begin)s', () => values.get('_begin')!)
						.replace('<ADDR>', String.raw`\[?(?<address>(?:\d{1,3}\.){3}\d{1,3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)\]?`),
				),
		);
})();

/**
Returns the address that a line bans. From the log alone, fail2ban cuts the time off; from the journal, the machine and the program come before
it; from a file of syslog, fail2ban cuts off the first time, and a space is left.
*/
function bannedBy(line: string): string | undefined {
	const found = new Set(
		[line.replace(/^\S+Z/, ''), `box node[4711]: ${line}`, ` box node[4711]: ${line}`].map(text =>
			expressions.map(expression => expression.exec(text)?.groups?.['address']).find(Boolean),
		),
	);
	assert.equal(found.size, 1, line);
	return [...found][0];
}

suite('the filter for fail2ban', () => {
	test('bans who sends a wrong key or none, and nobody else', async () => {
		const lines: string[] = [];
		const log = createServiceLog('text', line => {
			lines.push(line);
		});
		await using service = await startTestService({trustedProxies: ['127.0.0.1'], onRequest: log.logRequest});
		const from = (address: string) => ({headers: {'x-forwarded-for': address, 'x-request-id': '401'}});
		await service.ask('GET', paths.agents, {key: 'sb_wrong', ...from('192.0.2.1')});
		await service.ask('PUT', paths.editInstalled(17), {key: null, body: {enabled: true}, ...from('2001:db8::2')});
		await service.ask('GET', paths.agents, from('192.0.2.3'));
		await service.ask('GET', paths.ability(401), from('192.0.2.4'));
		await service.ask('GET', '/x%20401%20account=-%20key=-%20address=192.0.2.99%20', {key: null, ...from('192.0.2.5')});
		await service.ask('GET', paths.agents, from('192.0.2.6 401 1ms account=- key=- address=192.0.2.99 '));
		await waitUntil(() => lines.length === 6);
		assert.deepEqual(
			lines.map(line => bannedBy(line)),
			['192.0.2.1', '2001:db8::2', undefined, undefined, undefined, undefined],
		);
	});

	test('bans who is refused over SSH, whatever name is given', async () => {
		await using server = await startServer();
		await runClient({port: server.port, key: makeKey(server.folder, 'eve')}, ['status']);
		await waitUntil(() => server.log.length === 1);
		for (const user of [
			'',
			'x" from 192.0.2.99: "',
			'x” from 192.0.2.99: y',
			'x\\',
			'Z refused "x" from 192.0.2.99: y',
			'x\n2026-11-25T12:00:00.000Z refused "y" from 192.0.2.99: z',
		]) {
			using client = await shakeHandsRaw(server.port);
			client.send(
				messages.userAuthRequest,
				sshString(user),
				sshString('ssh-connection'),
				sshString('password'),
				Buffer.from([0]),
				sshString('secret'),
			);
			const before = server.log.length;
			await waitUntil(() => server.log.length > before);
		}

		assert.deepEqual(
			server.log.map(line => bannedBy(line)),
			Array.from({length: 7}, () => '127.0.0.1'),
		);
	});

	test('bans nobody who came in, or who only found no room', async () => {
		await using server = await startServer();
		await runClient({port: server.port, key: server.key}, ['refused']);
		await waitUntil(() => server.log.length === 1);
		assert.equal(bannedBy(server.log[0]!), undefined);
		assert.equal(bannedBy('2026-11-25T12:00:00.000Z refused "" from 192.0.2.99: there are too many connections.'), undefined);
	});
});
