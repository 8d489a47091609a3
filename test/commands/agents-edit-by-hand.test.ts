import {assert, path, process, suite, test, type TestContext} from '../helpers/node.ts';
import {chmodSync, existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {keptFileIn, keptTextIn, promptFolderOf} from '../helpers/kept-text.ts';
import {openPseudoTerminal, type PseudoTerminal} from '../helpers/pseudo-terminal.ts';
import {accountNameOf} from '../../source/settings/account.ts';
import {promptFileOf} from '../../source/settings/prompt-file.ts';
import {ended, isWrite, openTerminal, programFile, startLiveLike} from './kit.ts';

type Terminal = Pick<PseudoTerminal, 'screen' | 'waitFor'> & {
	press(...names: readonly string[]): unknown;
	readonly exited: Promise<{readonly exitCode: number}>;
};

type Stored = {name: string; description?: string};

async function start(t: TestContext) {
	const {service, run, home, env} = await startLiveLike(t);
	const hearth = service.agents[0] as Stored;
	hearth.description = 'You look after a house.\nBe kind.';
	const editor = path.join(home.folder, 'my editor');
	const drafts = promptFolderOf(home);

	/** How `agents edit Hearth` is run with a shell script as the editor. */
	const prepare = (script: string, words: readonly string[], more: Readonly<Record<string, string>>) => {
		writeFileSync(editor, `#!/bin/sh\n${script}\n`);
		chmodSync(editor, 0o755);
		const options = {env: {...env, NO_COLOR: '1', VISUAL: `'${editor}' --wait`, ...more}, columns: 300};
		return [['agents', 'edit', 'Hearth', ...words], options] as const;
	};

	/** Runs it with an editor that does not use the terminal. */
	const open = (script: string, words: readonly string[] = [], more: Readonly<Record<string, string>> = {}) =>
		openTerminal(...prepare(script, words, more));

	/** The same with one that does, in a real terminal. */
	const openReal = (script: string): PseudoTerminal => {
		const [words, options] = prepare(script, [], {});
		return openPseudoTerminal({command: process.execPath, args: [programFile, ...words], ...options});
	};

	/** The exit code, and the lines on the screen that are not of a difference. */
	const outcome = async (terminal: Terminal): Promise<readonly [exitCode: number, ...lines: string[]]> => {
		const {exitCode} = await terminal.exited;
		return [exitCode, ...terminal.screen().filter(line => line !== '' && !/^[ +\-@]/.test(line))];
	};

	return {
		service,
		run,
		home,
		env,
		hearth,
		drafts,
		open,
		openReal,
		outcome,
		/** Answers the question, and returns what `outcome` does. */
		async answer(terminal: Terminal, key: 'y' | 'n') {
			await terminal.waitFor('[y/N]');
			terminal.press(key, 'enter');
			return outcome(terminal);
		},
		keptText: () => keptTextIn(drafts),
		/** What the program says of the text that it keeps. */
		keptLine: () =>
			`Your text is kept in ${path.join('~', path.relative(home.folder, keptFileIn(drafts)!))}. To go on with it: switchboard agents edit Hearth`,
		writes: () => service.requests.filter(request => isWrite(request)).length,
	};
}

const wayBack = 'The earlier prompt is kept. To bring it back: switchboard agents restore Hearth';

const wouldChange = 'The prompt of Hearth would change:';

const question = 'Replace the prompt of Hearth? [y/N]';

/** An editor that adds a line to the text. */
const adding = 'echo "Be brief." >> "$2"';

suite('agents edit without an option', {skip: process.platform === 'win32'}, () => {
	test('opens the prompt in the editor, shows what changes, and sends it after a yes', async (t: TestContext) => {
		const {open, answer, hearth, drafts, home} = await start(t);
		await using terminal = open(
			'ls -l "$2" | cut -c1-10 > "$HOME/mode"; ls -ld "$(dirname "$2")" | cut -c1-10 >> "$HOME/mode"; cp "$2" "$HOME/seen"; echo "$1" >> "$HOME/mode"; ' +
				adding,
		);
		assert.deepEqual(await answer(terminal, 'y'), [
			0,
			wouldChange,
			String.raw`\ No newline at end of file`,
			String.raw`\ No newline at end of file`,
			`${question} y`,
			'Changed Hearth.',
			wayBack,
		]);
		assert.ok(terminal.screen().includes('+Be brief.'));
		assert.equal(hearth.description, 'You look after a house.\nBe kind.\nBe brief.');
		assert.equal(readFileSync(path.join(home.folder, 'mode'), 'utf8'), '-rw-------\ndrwx------\n--wait\n');
		assert.equal(readFileSync(path.join(home.folder, 'seen'), 'utf8'), 'You look after a house.\nBe kind.\n');
		assert.deepEqual(readdirSync(drafts), []);
	});

	test('keeps the text after a no, and opens it again the next time, as it does one that the screens kept', async (t: TestContext) => {
		const {open, answer, outcome, hearth, keptText, keptLine, writes, service, home, drafts} = await start(t);
		await using first = open(adding);
		const [exitCode, ...lines] = await answer(first, 'n');
		assert.deepEqual([exitCode, ...lines.slice(-3)], [2, `${question} n`, keptLine(), 'Nothing was changed.']);
		assert.equal(keptText(), 'You look after a house.\nBe kind.\nBe brief.\n');
		assert.equal(writes(), 0);
		const file = promptFileOf({
			account: accountNameOf({baseAddress: service.baseAddress, profileName: 'environment'}),
			agentId: 1,
			configFolder: path.join(home.env['XDG_CONFIG_HOME']!, 'switchboard'),
		});
		assert.equal(file.path(), keptFileIn(drafts));
		await using second = open('true');
		await second.waitFor(question);
		assert.ok(second.screen()[0]!.startsWith('The editor opens your text of before, which was not sent: ~/'));
		assert.ok((await answer(second, 'y')).includes('Changed Hearth.'));
		assert.equal(hearth.description, 'You look after a house.\nBe kind.\nBe brief.');
		await using third = open('true');
		assert.deepEqual(await outcome(third), [0, 'The prompt of Hearth is unchanged.']);
		assert.deepEqual([readdirSync(drafts), writes()], [[], 1]);
	});

	test('sends nothing over a change that somebody made meanwhile, and shows the difference to it the next time', async (t: TestContext) => {
		const {open, openReal, answer, outcome, hearth, keptLine, writes} = await start(t);
		const waiting = `echo ready; read answer; ${adding}`;
		await using first = openReal(waiting);
		await first.waitFor('ready');
		hearth.description = 'You look after a barn.';
		first.press('enter');
		assert.deepEqual((await outcome(first)).slice(-3), [
			keptLine(),
			'The prompt of Hearth was changed in the meantime. Nothing was done.',
			'Run the command again to see what it is now.',
		]);
		await using unseen = open('true', ['--yes']);
		assert.deepEqual((await outcome(unseen)).slice(-3), [
			keptLine(),
			'The prompt of Hearth was changed after this text was begun. Nothing was done.',
			'Run the command without --yes to see what would change.',
		]);
		assert.equal(writes(), 0);
		await using second = open('true');
		await second.waitFor('[y/N]');
		assert.ok(second.screen().includes('-You look after a barn.'));
		hearth.description = 'You look after a shed.';
		assert.deepEqual((await answer(second, 'y')).slice(-3, -1), [
			keptLine(),
			'The prompt of Hearth was changed in the meantime. Nothing was done.',
		]);
		assert.equal(writes(), 0);
	});

	test('keeps the text where the service refuses it, the editor fails or is no text, and in a dry run', async (t: TestContext) => {
		const {open, answer, outcome, keptText, keptLine, service, hearth, writes} = await start(t);
		const before = hearth.description;
		await using refused = open(adding);
		await refused.waitFor('[y/N]');
		service.failNext({status: 403, when: isWrite});
		service.failNext({status: 403, when: isWrite});
		assert.equal((await answer(refused, 'y'))[0], 3);
		assert.ok(refused.screen().includes(keptLine()));
		await using failed = open(`${adding}; exit 3`);
		const [exitCode, ...lines] = await outcome(failed);
		assert.deepEqual([exitCode, lines.at(-2)], [1, keptLine()]);
		assert.match(lines.at(-1)!, /my editor ended with exit code 3\.$/);
		await using dry = open('true', ['--dry-run']);
		assert.deepEqual((await outcome(dry)).slice(-3), ['Would change Hearth.', keptLine(), 'Nothing was changed: this was a dry run.']);
		assert.equal(keptText(), `${before!}\nBe brief.\nBe brief.\n`);
		await using noise = open(String.raw`printf '\377\376x\n' > "$2"`);
		assert.deepEqual((await outcome(noise)).slice(-2), [keptLine(), 'The text is not UTF-8.']);
		assert.equal(hearth.description, before);
		assert.ok(writes() <= 2);
	});

	test('takes an empty text for a slip, which keeps nothing, and asks nothing with --yes', async (t: TestContext) => {
		const {open, outcome, drafts, hearth, writes} = await start(t);
		await using slip = open(': > "$2"');
		assert.deepEqual(await outcome(slip), [2, 'The new prompt of Hearth is empty. Nothing was done.', 'Use --yes to empty it anyway.']);
		assert.deepEqual([readdirSync(drafts), writes()], [[], 0]);
		await using sure = open(adding, ['--yes']);
		assert.deepEqual(await outcome(sure), [0, 'Changed Hearth.', wayBack]);
		await using empty = open(': > "$2"', ['--yes']);
		assert.equal((await outcome(empty))[0], 0);
		assert.equal(hearth.description, '');
	});

	test('ends the editor with the command, and says where the text is', async (t: TestContext) => {
		const {openReal, outcome, keptText, keptLine, writes, home} = await start(t);
		for (const [signal, exitCode, sentence] of [
			['SIGTERM', 143, 'Terminated.'],
			['SIGINT', 130, 'Interrupted.'],
		] as const) {
			const name = signal.slice(3);
			await using terminal = openReal(
				`trap 'echo ${name} > "$HOME/told"; exit 0' ${name}; echo "Half ${name}." > "$2"; echo ready; while :; do sleep 0.05; done`,
			);
			await terminal.waitFor('ready');
			terminal.kill(signal);
			assert.deepEqual((await outcome(terminal)).slice(-2), [keptLine(), sentence]);
			assert.equal((await terminal.exited).exitCode, exitCode);
			assert.equal(readFileSync(path.join(home.folder, 'told'), 'utf8'), `${name}\n`);
			assert.equal(keptText(), `Half ${name}.\n`);
		}

		assert.equal(writes(), 0);
	});

	test('leaves behind an editor that a signal does not end', async (t: TestContext) => {
		const {openReal, outcome, keptLine} = await start(t);
		await using terminal = openReal('trap "" TERM; echo "Half." > "$2"; echo ready; while [ -d "$HOME" ]; do sleep 0.05; done');
		await terminal.waitFor('ready');
		terminal.kill('SIGTERM');
		assert.deepEqual((await outcome(terminal)).slice(-2), [keptLine(), 'Terminated.']);
	});

	test('opens no text that another Switchboard has open', async (t: TestContext) => {
		const {openReal, outcome} = await start(t);
		await using first = openReal('echo ready; read answer');
		await first.waitFor('ready');
		await using second = openReal('echo never');
		const [exitCode, line] = await outcome(second);
		assert.deepEqual([exitCode, line], [2, 'The prompt of Hearth is being edited in another Switchboard. Nothing was done.']);
		first.press('enter');
		assert.deepEqual(await outcome(first), [0, 'ready', 'The prompt of Hearth is unchanged.']);
	});

	test('opens nothing with --read-only, without an editor or a terminal, and says what to do', async (t: TestContext) => {
		const {open, outcome, run, home, service} = await start(t);
		const telling = 'echo opened > "$HOME/opened"';
		await using readOnly = open(telling, ['--read-only']);
		assert.deepEqual(await outcome(readOnly), [2, 'This command makes changes, which --read-only forbids.', 'Run it without --read-only.']);
		const options = 'Use --name, --prompt, --prompt-file, --abilities or --no-abilities.';
		const howToSet = 'Set VISUAL or EDITOR to your editor, with its arguments.';
		for (const [variables, ...lines] of [
			[{VISUAL: '', EDITOR: ' '}, 'No editor is set.', howToSet, options],
			[{VISUAL: "'vi"}, "VISUAL is not a valid command: “'vi”.", howToSet],
			[{VISUAL: '/nowhere/vi -n'}, 'Editor not found: /nowhere/vi (set in VISUAL).', howToSet],
		] as const) {
			await using terminal = open(telling, [], variables);
			assert.deepEqual(await outcome(terminal), [2, ...lines]);
		}

		assert.deepEqual(await run(['agents', 'edit', 'Hearth']), ended(2, '', `Nothing to change.\n${options}\n`));
		assert.equal(existsSync(path.join(home.folder, 'opened')), false);
		assert.equal(service.requests.filter(request => isWrite(request)).length, 0);
	});
});
