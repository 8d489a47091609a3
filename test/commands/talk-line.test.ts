import {assert, test, type TestContext} from '../helpers/node.ts';
import {PassThrough, Writable} from 'node:stream';
import {openTalkLine} from '../../source/commands/input/talk-line.ts';
import {waitUntil} from '../helpers/wait-until.ts';

const globalOptions = {
	profile: undefined,
	baseUrl: undefined,
	isJson: false,
	isReadOnly: false,
	isInsecureHttpAllowed: false,
	timeoutMilliseconds: undefined,
	isColorWanted: false,
	isColorForced: false,
	isAscii: false,
	isMouseWanted: false,
	isDebug: false,
};

/** A line to talk in, with all that it does. */
function openTyped(t: TestContext) {
	const stdin = Object.assign(new PassThrough(), {isTTY: true, setRawMode: () => undefined});
	let shown = '';
	const stdout = new Writable({
		write(chunk: Uint8Array, _encoding, done) {
			shown += String(chunk);
			done();
		},
	});
	const done: string[] = [];
	const line = openTalkLine(
		{
			streams: {stdin, stdout, stderr: stdout},
			options: globalOptions,
			print(text) {
				stdout.write(`${text}\n`);
			},
		},
		new AbortController().signal,
		{
			line(text) {
				done.push(`line: ${text}`);
			},
			phrase(text) {
				done.push(`phrase: ${text}`);
			},
			interrupt() {
				done.push('interrupt');
			},
			end() {
				done.push('end');
			},
		},
	);
	t.after(() => line.close());
	return {
		done,
		shown: () => shown,
		type(...chunks: readonly string[]) {
			for (const chunk of chunks) {
				stdin.write(chunk);
			}
		},
		async asked() {
			await waitUntil(() => shown.includes('[y/N]'));
		},
		async does(...expected: readonly string[]) {
			await waitUntil(() => done.length >= expected.length);
			assert.deepEqual(done, expected);
		},
	};
}

const pasteOf = (text: string): string => `\u{1B}[200~${text}\u{1B}[201~`;

test('what is typed is a line each time, and a paste of one line waits for Enter', async (t: TestContext) => {
	const {type, does} = openTyped(t);
	type('hello\r');
	await does('line: hello');
	type(pasteOf('good night\n'));
	type(' now\r');
	await does('line: hello', 'line: good night now');
});

for (const [title, ...chunks] of [
	['marked by the terminal', pasteOf('one\rtwo\r\n three\n')],
	['marked, in several parts', pasteOf('one\rtwo\r').slice(0, -3), '01~', pasteOf('three')],
	['not marked', 'one\rtwo\rthree\r'],
	['not marked and line by line', 'one\r', 'two\r', 'three\r'],
] as const) {
	test(`several pasted lines, ${title}, are one phrase once they are confirmed`, async (t: TestContext) => {
		const {type, asked, does, shown, done} = openTyped(t);
		type(...chunks);
		await asked();
		assert.match(shown(), /Pasted, \d+ characters: one two/);
		assert.deepEqual(done, []);
		type('y\r');
		await does('phrase: one two three');
		type('\u{1B}[A!\r');
		await does('phrase: one two three', 'line: one two three!');
	});
}

test('a paste follows what was typed before it, and anything but yes, or Ctrl+C, drops it', async (t: TestContext) => {
	const {type, asked, does, shown} = openTyped(t);
	type('first ');
	type(pasteOf('one\ntwo'));
	await asked();
	assert.ok(shown().includes('first one two'));
	type('no\r');
	await waitUntil(() => shown().includes('Not said.'));
	type(pasteOf('/quit\ntwo'));
	await waitUntil(() => shown().includes('/quit two'));
	type('y', '\u{3}');
	await waitUntil(() => shown().split('Not said.').length === 3);
	type(pasteOf(`${'long '.repeat(800)}\n1`));
	await waitUntil(() => shown().split('Not said.').length === 4);
	assert.ok(shown().includes('Pasted, 4,001 characters: a phrase may have 4,000 at most.'));
	type('on\r');
	await does('line: on');
	type('\u{1B}[99;5u', '\u{4}');
	await does('line: on', 'interrupt', 'end');
});
