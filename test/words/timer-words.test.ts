import {assert, test} from '../helpers/node.ts';
import type {Timer} from '../../source/interface/timers.ts';
import {endText, timerText} from '../../source/words/timer-words.ts';

const timeZone = {zone: 'UTC', isOwn: true};

const timer: Timer = {enabled: true, at: '2001-02-03T07:00:00.000Z', by: 'anna', note: 'wake up', overdue: undefined};

test('a timer is told with as much as there is room for', () => {
	const overdue: Timer = {...timer, overdue: 'late'};
	assert.deepEqual(
		[
			timerText(timer, timeZone),
			timerText(timer, timeZone, 'author'),
			timerText({...timer, by: ''}, timeZone, 'author'),
			timerText(timer, timeZone, 'all'),
			timerText(overdue, timeZone),
			timerText({...overdue, by: '', note: ''}, timeZone, 'all'),
			timerText({enabled: false, for: 7200, note: ''}, timeZone),
			timerText(null, timeZone),
		],
		[
			'on 2001-02-03 07:00',
			'on 2001-02-03 07:00 by anna',
			'on 2001-02-03 07:00',
			'on 2001-02-03 07:00 by anna: wake up',
			'on 2001-02-03 07:00, overdue',
			'on 2001-02-03 07:00, overdue (nothing ran at its time)',
			'off in 2h',
			'timer cancelled',
		],
	);
	assert.deepEqual(
		[endText(undefined, timeZone, true), endText(timer, timeZone, true), endText(timer, timeZone, false), endText(overdue, timeZone, true)],
		['', ' until 2001-02-03 07:00', ', until 2001-02-03 07:00 (anna)', ', overdue since 2001-02-03 07:00 (anna)'],
	);
});
