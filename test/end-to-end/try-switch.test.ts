import {assert, path, readdirSync, readFileSync, test} from '../helpers/node.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {isFresh} from '../tui/helpers/shown.ts';
import {openUi, says} from './open-ui.ts';

test('an ability that is off is on for a conversation alone, also where the program is killed meanwhile and asks at its next start', async () => {
	const home = createIsolatedHome();
	const folder = path.join(home.env['XDG_STATE_HOME']!, 'switchboard', 'journal');
	/** The lines of the log that note a try, without those that are over. */
	const notes = (): readonly string[] => {
		const lines = readdirSync(folder)
			.filter(name => name.endsWith('.jsonl'))
			.flatMap(name => readFileSync(path.join(folder, name), 'utf8').trimEnd().split('\n'));
		return lines.filter(line => {
			const {kind, key} = JSON.parse(line) as {readonly kind: string; readonly key?: string};
			return kind === 'try' && !lines.some(other => other.includes('"kind":"skip"') && other.includes(key!));
		});
	};
	{
		await using ui = openUi(home);
		await ui.waitFor(isFresh);
		await ui.write('/nightwatch\rT').waitFor('nightwatch is off: Ctrl+T switches it on for this conversation.');
		await ui.press('ctrl+t').waitFor('nightwatch is on until you leave this conversation.');
		await ui.press('escape').waitFor('on → off');
		await ui.waitFor(says('nightwatch', 'off'));
		assert.deepEqual(notes(), []);
		await ui.press('T').waitFor('Ctrl+T switches it on');
		await ui.press('ctrl+t').waitFor('nightwatch is on until you leave this conversation.');
		ui.kill('SIGKILL');
		await ui.exited;
	}

	assert.equal(notes().length, 1);
	await using ui = openUi(home);
	await ui.waitFor('Switch nightwatch off again?');
	assert.ok(says('nightwatch', 'on')(ui.screen()));
	await ui.answer('y', says('nightwatch', 'off'));
	assert.deepEqual(notes(), []);
	assert.equal((await ui.press('q').exited).exitCode, 0);
});
