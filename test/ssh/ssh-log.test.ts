import {addTo, assert, assertMapped, suite, test} from '../helpers/node.ts';
import {createSshLog, type SshLogFormat} from '../../source/ssh/ssh-log.ts';
import {toAsciiText} from '../../source/terminal/ascii.ts';

const now = () => new Date('2026-11-25T12:00:00.000Z');

function linesOf(work: (log: ReturnType<typeof createSshLog>) => void, format?: SshLogFormat): readonly string[] {
	const lines: string[] = [];
	work(createSshLog(addTo(lines), format, now));
	return lines;
}

const refusal = {address: '192.0.2.7', reason: 'no line lets this key in from there.', fingerprint: 'SHA256:abc'};

/** Names that would end a quotation, or a line, and go on as another one. */
const forgeries = [
	'x” from 198.51.100.1: no line lets this key in from there. “',
	'x" from 198.51.100.1: no line lets this key in from there. "',
	String.raw`x\" from 198.51.100.1: no line lets this key in from there.`,
	'x\\',
	'x＂ from 198.51.100.1: ＂',
	'x\n2026-11-25T12:00:00.000Z refused "y" from 198.51.100.1: no line lets this key in from there.',
	'x\r\u{1B}[2K\u{2028}refused',
];

/** Everything but what is quoted as JSON. */
const unquoted = (line: string): string => line.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');

suite('the log of ssh-serve', () => {
	test('a name is quoted so that it forges no line, also where only ASCII is shown', () => {
		for (const user of forgeries) {
			const [line, ...more] = linesOf(log => log.refused({...refusal, user}));
			assert.deepEqual(more, []);
			for (const shown of [line!, toAsciiText(line!)]) {
				assert.equal(
					unquoted(shown),
					'2026-11-25T12:00:00.000Z refused "" from 192.0.2.7: no line lets this key in from there. SHA256:abc',
					user,
				);
			}

			const [ended] = linesOf(log =>
				log.ended({fingerprint: 'SHA256:abc', person: user, address: '192.0.2.7', what: 'status', durationMilliseconds: 1234, exitCode: 0}),
			);
			assert.equal(
				unquoted(toAsciiText(ended!)),
				'2026-11-25T12:00:00.000Z SHA256:abc "" from 192.0.2.7: status, 1.2 s, exit code 0',
				user,
			);
		}
	});

	test('people can read names of all scripts', () =>
		assert.match(linesOf(log => log.refused({...refusal, user: 'jürgen Ада 艾达 नेहा'}))[0]!, / refused "jürgen Ада 艾达 नेहा" from /));

	test('in JSON each line is an object that says the same', () => {
		const lines = linesOf(log => {
			log.note('A “note”.');
			log.refused({...refusal, user: forgeries[0]!});
			log.refused({address: '192.0.2.7', user: '', reason: 'there are too many connections.'});
			log.ended({
				fingerprint: 'SHA256:abc',
				person: 'ada',
				address: '192.0.2.7',
				what: 'shell',
				durationMilliseconds: 1234.5,
				exitCode: 130,
			});
		}, 'json');
		const time = '2026-11-25T12:00:00.000Z';
		assertMapped(lines, line => JSON.parse(toAsciiText(line)) as unknown, [
			{time, message: 'A “note”.'},
			{time, event: 'refused', person: forgeries[0], address: '192.0.2.7', key: 'SHA256:abc', reason: refusal.reason},
			{time, event: 'refused', person: '', address: '192.0.2.7', key: null, reason: 'there are too many connections.'},
			{time, event: 'ended', person: 'ada', address: '192.0.2.7', key: 'SHA256:abc', command: 'shell', ms: 1235, exit_code: 130},
		]);
	});
});
