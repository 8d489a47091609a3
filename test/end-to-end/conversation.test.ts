import {assert, test} from '../helpers/node.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {openUi} from './open-ui.ts';

test('in a terminal T talks to the bundled service, and q ends the conversation with the program', async () => {
	await using ui = openUi(createIsolatedHome(), {columns: 80, rows: 10, env: {NO_COLOR: '1'}});
	await ui.waitFor(/live/);
	await ui.press('T').waitFor('Talking to Hearth');
	await ui.write('good morning\r').waitFor(/morninglights \(skill\)/);
	assert.deepEqual(ui.screen(), [
		' Talking to Hearth                                                        local',
		' you     good morning',
		' Hearth  This would start morninglights (skill). Abilities are not run here.',
		'',
		'',
		'',
		'',
		' 1 good morning  2 wake the house',
		'> Say',
		' enter say  1-2 say a phrase  esc back  ctrl+c end  ctrl+o logs (1)  up earlier',
	]);
	await ui.press('escape').waitFor(/\[talking to Hearth\]/);
	assert.equal((await ui.press('q').exited).exitCode, 0);
});

test('in a screen reader each turn is read once as a whole, also an answer like the one before', async () => {
	await using ui = openUi(createIsolatedHome(), {rows: 60, env: {ACCESSIBLE: '1'}});
	await ui.waitFor(/^> on morninglights/m);
	await ui.waitFor(/live/);
	await ui.write('Thello\r').waitFor(/^Hearth: No ability has this phrase\.$/m);
	await ui.write('hallo\r').waitFor(/^Hearth: No ability has this phrase\. \(2\)$/m);
	assert.ok(ui.screen().includes('you: hallo'), ui.screen().join('\n'));
	await ui.press('ctrl+c').waitFor(/The conversation with Hearth has ended/);
	assert.equal((await ui.press('ctrl+c').exited).exitCode, 0);
});
