import {assert, test} from '../../helpers/node.ts';
import {createRegister} from './chaos/register.ts';

test('the check of what clients see accepts every state that is possible, and no other', () => {
	const register = createRegister('a record', 'first');
	register.read()('first');
	assert.throws(() => register.read()('other'), /was never there/);

	const before = register.read();
	register.write('second')('done');
	before('first');
	assert.throws(() => register.read()('first'), /is lost/);

	register.write('third')('refused');
	assert.throws(() => register.read()('third'), /was refused/);

	register.write('fourth')('unknown');
	const early = register.read();
	register.read()('second');
	register.read()('fourth');
	assert.throws(() => register.read()('second'), /is lost/);
	// It was under way while the other one saw it.
	early('second');
});
