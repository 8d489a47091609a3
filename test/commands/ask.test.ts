import {assert, test} from '../helpers/node.ts';
import {PassThrough, Writable} from 'node:stream';
import {ask} from '../../source/commands/input/ask.ts';
import {toSwitchboardError} from '../../source/interface/errors.ts';
import {waitUntil} from '../helpers/wait-until.ts';

/** A terminal that is asked on, with all that was written to it. */
function openAsked(term = 'xterm') {
	const modes: boolean[] = [];
	const stdin = Object.assign(new PassThrough(), {
		isTTY: true,
		setRawMode(isRaw: boolean) {
			modes.push(isRaw);
		},
	});
	let shown = '';
	const stderr = new Writable({
		write(chunk: Uint8Array, _encoding, done) {
			shown += String(chunk);
			done();
		},
	});
	const ending = new AbortController();
	return {
		stdin,
		modes,
		ending,
		shown: () => shown,
		async ask(question: Parameters<typeof ask>[1]): Promise<string> {
			try {
				return await ask(
					{
						streams: {stdin, stdout: stderr, stderr},
						signal: ending.signal,
						env: {TERM: term},
						note(text) {
							stderr.write(`${text}\n`);
						},
					},
					question,
				);
			} catch (error) {
				return toSwitchboardError(error).kind;
			}
		},
	};
}

const dropped = 'Keys typed before the question were dropped.';

test('what was typed before a question is dropped, and what comes right after it counts', async () => {
	const {stdin, shown, modes, ask: answerTo} = openAsked();
	stdin.write('y\r');
	stdin.write('yes\r');
	const answer = answerTo({text: 'Delete it? [y/N] ', isFresh: true});
	await waitUntil(() => shown().includes('[y/N]'));
	stdin.write('n\r');
	assert.equal(await answer, 'n');
	assert.ok(shown().indexOf(dropped) < shown().indexOf('[y/N]'), shown());
	assert.deepEqual([modes[0], modes.at(-1), stdin.isPaused()], [true, false, true]);
	const quiet = openAsked();
	const other = quiet.ask({text: 'Delete it? [y/N] ', isFresh: true});
	await waitUntil(() => quiet.shown().includes('[y/N]'));
	quiet.stdin.write('y\r');
	assert.equal(await other, 'y');
	assert.ok(!quiet.shown().includes(dropped));
});

test('Ctrl+C and the end of input before a question end it, unasked', async () => {
	for (const [typed, kind] of [
		['y\u{3}', 'interrupted'],
		['y\r\u{4}', 'usage'],
		['\0', 'usage'],
		['\u{1B}[99;5u', 'interrupted'],
		['\u{1B}[200~a\u{3}b\u{1B}[201~\u{3}', 'interrupted'],
	] as const) {
		const {stdin, shown, ask: answerTo} = openAsked();
		stdin.write(typed);
		assert.equal(await answerTo({text: 'Sure?', isFresh: true}), kind, JSON.stringify(typed));
		assert.ok(!shown().includes('Sure?'));
	}

	const ended = openAsked();
	ended.stdin.end('y\r');
	assert.equal(await ended.ask({text: 'Sure?', isFresh: true}), 'usage');
	const gone = openAsked();
	gone.stdin.destroy(new Error('read EIO'));
	assert.equal(await gone.ask({text: 'Sure?'}), 'usage');
});

test('other questions take what was typed before, but not what follows the answer', async () => {
	const {stdin, shown, ask: answerTo} = openAsked();
	stdin.write('example.com\rsecret\r');
	assert.equal(await answerTo({text: 'Address: '}), 'example.com');
	const key = answerTo({text: 'API key: ', isSecret: true, isFresh: true});
	await waitUntil(() => shown().includes('API key:'));
	assert.ok(shown().includes(dropped));
	stdin.write('another\r\n');
	assert.equal(await key, 'another');
	assert.doesNotMatch(shown(), /secret|another/);
});

test('a line break in a marked paste answers nothing', async () => {
	const {stdin, shown, ask: answerTo} = openAsked();
	const answer = answerTo({text: 'Sure? '});
	await waitUntil(() => shown().includes('Sure?'));
	stdin.write('\u{1B}[200~y\r\u{1B}[201~');
	stdin.write('o\r');
	assert.equal(await answer, 'yo');
});

test('a question is edited with the keys of readline, and a terminal that shows only text gets no escape sequence', async () => {
	for (const [term, keys, expected] of [
		['xterm', 'xnbc\u{1B}[D\u{1B}[D\u{1B}[Dxx\u{7F}\u{1}\u{1B}[3~\r', 'xnbc'],
		['dumb', 'ab\u{1B}[D\u{1B}OP\u{7F}c\r', 'ac'],
		['dumb', 'ab\u{15}c\r', 'c'],
		['dumb', '\u{4}', 'usage'],
		// Keys in the encodings of kitty and xterm.
		['xterm', 'ab\u{1B}[99u\u{1B}[13u', 'abc'],
		['xterm', 'a\u{1B}[99;5u', 'interrupted'],
		['xterm', 'a\u{1B}[27;5;99~', 'interrupted'],
		['dumb', 'ab\u{3}', 'interrupted'],
	] as const) {
		for (const isSecret of [false, true]) {
			const {stdin, shown, ask: answerTo} = openAsked(term);
			stdin.write('early');
			const answer = answerTo({text: 'Text: ', isSecret, isFresh: true});
			await waitUntil(() => shown().includes('Text:'));
			stdin.write(keys);
			assert.equal(await answer, expected);
			assert.equal(shown().includes('\u{1B}'), term !== 'dumb', shown());
		}
	}
});

test('a signal ends a question', async () => {
	const {shown, ending, ask: answerTo} = openAsked();
	const answer = answerTo({text: 'Sure? '});
	await waitUntil(() => shown().includes('Sure?'));
	ending.abort(new Error('ended'));
	assert.equal(await answer, 'unexpected');
});
