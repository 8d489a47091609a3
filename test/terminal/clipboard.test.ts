import {assert, Buffer, chmodSync, existsSync, path, readFileSync, test, type TestContext, writeFileSync} from '../helpers/node.ts';
import {setVariables} from '../helpers/set-variables.ts';
import {type ClipboardOptions, createClipboard} from '../../source/terminal/clipboard.ts';
import {temporaryFolder} from '../tui/helpers/kit.ts';

/** Puts tools with these names first in the search path; each runs a command, stores its input in a file beside it and exits with the given code. */
function putTools(
	t: TestContext,
	tools: Readonly<Record<string, number>>,
	before = ':',
): {readonly taken: (tool: string) => string | undefined} {
	const folder = temporaryFolder();
	for (const [name, exitCode] of Object.entries(tools)) {
		const file = path.join(folder, name);
		writeFileSync(file, `#!/bin/sh\n${before}\n{ echo "$@"; /bin/cat; } >"${file}.taken"\nexit ${exitCode}\n`);
		chmodSync(file, 0o755);
	}

	setVariables(t, {PATH: folder});
	return {
		taken(tool) {
			const file = path.join(folder, `${tool}.taken`);
			return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
		},
	};
}

const text = 'id 7 – “é”';

const encoded = Buffer.from(text).toString('base64');

const byTerminal = {isCopied: true, written: `\u{1B}]52;c;${encoded}\u{7}`};

async function copy(
	env: ClipboardOptions['env'],
	platform: NodeJS.Platform = 'linux',
	toolMilliseconds = 60_000,
): Promise<{readonly isCopied: boolean; readonly written: string}> {
	let written = '';
	const isCopied = await createClipboard({
		env,
		platform,
		toolMilliseconds,
		write(sequence) {
			written += sequence;
		},
	})(text);
	return {isCopied, written};
}

test('on a desktop its clipboard tool gets the text, and nothing is written to the terminal', async (t: TestContext) => {
	const {taken} = putTools(t, {'wl-copy': 0, xclip: 0, pbcopy: 0, 'clip.exe': 0});
	assert.deepEqual(await copy({WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0'}), {isCopied: true, written: ''});
	assert.equal(taken('wl-copy'), `\n${text}`);
	assert.deepEqual(await copy({DISPLAY: ':0'}), {isCopied: true, written: ''});
	assert.equal(taken('xclip'), `-selection clipboard\n${text}`);
	assert.deepEqual(await copy({}, 'darwin'), {isCopied: true, written: ''});
	assert.equal(taken('pbcopy'), `\n${text}`);
	assert.deepEqual(await copy({WSL_DISTRO_NAME: 'Debian'}), {isCopied: true, written: ''});
	assert.equal(taken('clip.exe'), `\n${text}`);
});

test('if a tool is missing or fails the next is tried, and finally the terminal', async (t: TestContext) => {
	const {taken} = putTools(t, {xclip: 1, xsel: 0});
	assert.deepEqual(await copy({WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0'}), {isCopied: true, written: ''});
	assert.equal(taken('xsel'), `--clipboard --input\n${text}`);
	assert.deepEqual(await copy({WAYLAND_DISPLAY: 'wayland-0'}), byTerminal);
});

test('over SSH the text goes through the terminal, whatever tools are installed', async (t: TestContext) => {
	const {taken} = putTools(t, {xclip: 0});
	for (const env of [{SSH_CONNECTION: '192.0.2.1 5 192.0.2.2 22'}, {SSH_TTY: '/dev/pts/1'}]) {
		assert.deepEqual(await copy({...env, DISPLAY: 'localhost:10.0'}), byTerminal);
	}

	assert.equal(taken('xclip'), undefined);
});

test("in tmux the text goes through tmux's own command, whatever tmux lets programs do", async (t: TestContext) => {
	const {taken} = putTools(t, {tmux: 0});
	const env = {TMUX: '/tmp/tmux-0/default,1,0', SSH_TTY: '/dev/pts/1'};
	assert.deepEqual(await copy(env), {isCopied: true, written: ''});
	assert.equal(taken('tmux'), `load-buffer -w -\n${text}`);
});

test('a tmux without that command gets the text in both forms that it may pass on, screen in its own', async (t: TestContext) => {
	putTools(t, {tmux: 1});
	assert.deepEqual(await copy({TMUX: '/tmp/tmux-0/default,1,0'}), {
		isCopied: true,
		written: `\u{1B}]52;c;${encoded}\u{7}\u{1B}Ptmux;\u{1B}\u{1B}]52;c;${encoded}\u{7}\u{1B}\\`,
	});
	assert.deepEqual(await copy({STY: '1.pts-0'}), {isCopied: true, written: `\u{1B}P\u{1B}]52;c;${encoded}\u{7}\u{1B}\\`});
});

test('SWITCHBOARD_CLIPBOARD chooses the method', async (t: TestContext) => {
	const {taken} = putTools(t, {xclip: 0});
	const desktop = {DISPLAY: ':0'};
	assert.deepEqual(await copy({...desktop, SWITCHBOARD_CLIPBOARD: 'osc52'}), byTerminal);
	assert.equal(taken('xclip'), undefined);
	assert.deepEqual(await copy({...desktop, SSH_TTY: '/dev/pts/1', SWITCHBOARD_CLIPBOARD: 'native'}), {isCopied: true, written: ''});
	assert.notEqual(taken('xclip'), undefined);
	assert.deepEqual(await copy({...desktop, SWITCHBOARD_CLIPBOARD: 'auto'}), {isCopied: true, written: ''});
});

test('a tool that hangs is replaced by the terminal', async (t: TestContext) => {
	putTools(t, {xclip: 0}, 'exec /bin/sleep 60');
	assert.deepEqual(await copy({DISPLAY: ':0'}, 'linux', 50), byTerminal);
});

test('a dumb terminal has no clipboard, and gets no sequence', async () => {
	assert.deepEqual(await copy({TERM: 'dumb'}), {isCopied: false, written: ''});
});
