import assert from 'node:assert/strict';
import {test} from 'node:test';
import {type PseudoTerminal} from '../helpers/pseudo-terminal.ts';
import {cursorLine} from '../tui/helpers/shown.ts';
import {startRemoteMachine, type RemoteMachine} from './open-over-ssh.ts';
import {whyNoSsh} from './ssh-server.ts';

const skip = whyNoSsh ?? false;

/** The list with what belongs to it: the tabs, the filter, the header and the rows. */
const listOf = (lines: readonly string[]): readonly string[] => lines.slice(1, 20);

for (const [how, leave] of [
	['was left', (ui: PseudoTerminal) => {
		ui.press('q');
	}],
	['was cut off', (_ui: PseudoTerminal, machine: RemoteMachine) => {
		machine.line.cut();
	}],
] as const) {
	test(`a new session shows the screens, filters, orders and rows as the one that ${how}`, {skip}, async () => {
		await using machine = await startRemoteMachine();
		await using before = await machine.open();
		before.write('/is:on\rsSG');
		const installed = await before.waitFor(lines => cursorLine(lines)?.includes('dinnerideas') === true);
		before.write('2jjj');
		const abilities = await before.waitFor(lines => cursorLine(lines)?.includes('goodnight') === true);
		leave(before, machine);
		await machine.waitForNoProcess(20_000);
		await using after = await machine.open();
		assert.deepEqual(listOf(after.screen()), listOf(abilities));
		after.press('3');
		const again = await after.waitFor('[3 Installed]');
		assert.deepEqual(listOf(again), listOf(installed));
	});
}
