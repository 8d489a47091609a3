import {assert, process, test, type TestContext} from '../../helpers/node.ts';
import {wide} from '../helpers/kit.ts';

// React tells of tabs that it cannot tell apart, but not as the program has it.
process.env['NODE_ENV'] = 'development';
const {openHome} = await import('../helpers/open-home.ts');

test('screens without keys of their own are led to all the same, and stand in the tabs', async (t: TestContext) => {
	const errors = t.mock.method(console, 'error', () => undefined);
	const {app} = await openHome(t, {keys: {agents: [], abilities: [], installed: ['f4']}, size: wide});
	const tabs: string[] = [];
	for (const title of ['[f4 Installed]', '[· Agents]', '[· Abilities]', '[f4 Installed]']) {
		tabs.push((await app.shows(title))[1]!);
		app.press('tab');
	}

	assert.deepEqual(tabs, [
		' · Agents  · Abilities [f4 Installed]',
		' [· Agents] · Abilities  f4 Installed',
		' · Agents [· Abilities] f4 Installed',
		' · Agents  · Abilities [f4 Installed]',
	]);
	assert.equal(errors.mock.callCount(), 0);
});
