import {assert, nextTurn, test} from '../helpers/node.ts';
import {SwitchboardError} from '../../source/interface/errors.ts';
import {createFilePlace} from '../../source/ssh/file-queue.ts';

/** A command of a key, with when it got its turn. */
function startCommand(key: string) {
	const controller = new AbortController();
	const place = createFilePlace(key, controller.signal);
	place.enter();
	const state = {...place, controller, hasTurn: false, error: undefined as unknown};
	const wait = async (): Promise<void> => {
		try {
			await place.turn();
			state.hasTurn = true;
		} catch (error) {
			state.error = error;
		}
	};

	void wait();
	return state;
}

test('a key works on one file at a time, eight more wait in their order, and others are refused', async () => {
	const commands = Array.from({length: 9}, () => startCommand('ada'));
	const turns = async (): Promise<string> => {
		await nextTurn();
		return commands.map(({hasTurn}) => (hasTurn ? 'x' : '-')).join('');
	};

	assert.throws(() => startCommand('ada'), {kind: 'rate-limited'});
	assert.equal(await turns(), 'x--------');
	const other = startCommand('ben');
	await nextTurn();
	assert.ok(other.hasTurn);

	const cut = new SwitchboardError('hangup', 'The connection was cut.');
	commands[1]!.controller.abort(cut);
	assert.equal(await turns(), 'x--------');
	assert.equal(commands[1]!.error, cut);
	commands[1]!.leave();
	assert.equal(await turns(), 'x--------');
	commands[0]!.leave();
	assert.equal(await turns(), 'x-x------');
	commands[0]!.leave();
	commands.push(startCommand('ada'), startCommand('ada'));
	assert.throws(() => startCommand('ada'), {kind: 'rate-limited'});
	for (const {leave} of commands) {
		leave();
	}

	assert.equal(await turns(), 'x-xxxxxxxxx');
});
