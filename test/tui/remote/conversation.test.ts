import {assert, test} from '../../helpers/node.ts';
import {includes, startServer} from '../helpers/kit.ts';

test('two who came over SSH hear the same conversation, and who may only read says nothing', async t => {
	const {open} = await startServer(t);
	const [ada, bob] = [open(), open({isReadOnly: true})];
	for (const session of [ada, bob]) {
		await session.waitFor('live');
		session.press('1', 'T');
		await session.waitFor('This is Hearth.');
	}

	bob.write('xyz\r');
	ada.write('good morning\r');
	for (const session of [ada, bob]) {
		await session.waitFor('This would start morninglights');
	}

	assert.ok(includes('Nothing may be said: your key is read-only.')(bob.screen()), bob.screen().join('\n'));
	assert.ok([...ada.screen(), ...bob.screen()].every(line => !line.includes('xyz')));
	for (const session of [ada, bob]) {
		session.press('escape', 'q');
		assert.equal(await session.exitCode, 0);
	}
});
