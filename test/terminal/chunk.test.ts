import {assertNone, test} from '../helpers/node.ts';
import {chunkOf} from '../../source/terminal/key.ts';
import {createKeyRecorder} from '../helpers/terminal/key-recorder.ts';

function isText(bytes: string): boolean {
	const {reader, keys} = createKeyRecorder();
	reader.write(bytes);
	reader.close();
	return chunkOf(keys) !== undefined;
}

test('keys that come at once look like a text if they are many and different, or go on after a line break', () => {
	const texts = [
		'Lady Gaga',
		'Lady Gaga\r',
		'abcdefgh',
		'день рождения',
		'Lady\rd',
		'y\ry',
		'\ry',
		'j\r ',
		'a\r\nb',
		'/etc/passwd\rdaemon',
		':quit\r\ryes',
		'\u{1B}[BLady Gaga',
	];
	assertNone(texts, text => !isText(text));
});

test('held keys, counts, a filter and a key after it, and keys that are typed ahead are keys', () => {
	const keys = [
		'j',
		'j'.repeat(500),
		' '.repeat(20),
		'jjjjkkkkjjjj',
		'jj ',
		'1cq',
		'b\r',
		'\r'.repeat(3),
		'Lady\r',
		'/pantry\r ',
		'\u{1B}/pantry\r',
		'/pantry and the other\r',
		'/nightwatch\rT',
		':mark-all\r',
		'\u{1B}[B'.repeat(20),
		'\u{1B}OA\u{1B}[6~\u{1B}[1;5C\u{1B}[15~',
		'abcdefg',
		'abcdabcdabcd',
	];
	assertNone(keys, each => isText(each));
});
