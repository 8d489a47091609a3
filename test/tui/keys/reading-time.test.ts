import {assert, nextTurn, test, type TestContext} from '../../helpers/node.ts';
import {createReadingTime} from '../../../source/tui/keys/reading-time.ts';

/** A question on the screen, and a clock that the test moves on. */
function showQuestion(t: TestContext) {
	t.mock.timers.enable({apis: ['setTimeout']});
	const readingTime = createReadingTime();
	const question = Symbol('question');
	const hide = readingTime.show(question);
	return {
		readingTime,
		hide,
		/** Passes time, and reads what the keyboard holds. */
		async pass(milliseconds: number): Promise<void> {
			t.mock.timers.tick(milliseconds);
			await nextTurn();
			await nextTurn();
		},
		/** True if a key that comes now may say Yes. */
		press: (): boolean => readingTime.note() === question,
	};
}

test('a question is answered once it was drawn for 300 ms', async t => {
	const {pass, press} = showQuestion(t);
	assert.equal(press(), false);
	await pass(149);
	assert.equal(press(), false);
	await pass(150);
	assert.equal(press(), false, 'after 299 ms');
	await pass(150);
	assert.equal(press(), true);
});

test('a key among others answers nothing until no other came for 150 ms', async t => {
	const {pass, press} = showQuestion(t);
	await pass(1000);
	assert.equal(press(), true);
	for (let repeat = 0; repeat < 20; repeat++) {
		await pass(33);
		assert.equal(press(), false, 'a key that is held');
	}

	await pass(149);
	assert.equal(press(), false);
	await pass(150);
	assert.equal(press(), true);
});

test('what waited in the keyboard while the program was busy came before the time was over', async t => {
	const {pass, press} = showQuestion(t);
	// The timer is over, and the keyboard is read before anything else.
	t.mock.timers.tick(5000);
	assert.equal(press(), false);
	await pass(0);
	assert.equal(press(), false, 'so soon after a key');
	await pass(150);
	assert.equal(press(), true);
});

test('a question that is gone, or another one in its place, is not answered', async t => {
	const {readingTime, hide, pass, press} = showQuestion(t);
	await pass(300);
	hide();
	assert.equal(press(), false);
	const other = Symbol('other');
	readingTime.show(other);
	hide();
	await pass(300);
	assert.equal(readingTime.note(), other);
});
