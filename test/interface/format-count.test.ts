import {assertMapped, test} from '../helpers/node.ts';
import {formatBytes} from '../../source/interface/ability-package/limits.ts';
import {counted} from '../../source/interface/format-count.ts';

test('one thing is counted in the singular, any other number in the plural', () =>
	assertMapped([0, 1, 2, 1400], count => counted(count, 'record'), ['0 records', '1 record', '2 records', '1,400 records']));

test('a size is told in the largest unit that it fills', () => {
	const [kilobyte, megabyte, gigabyte] = [1024, 1024 ** 2, 1024 ** 3];
	assertMapped([1, 1023, kilobyte, 14.4 * kilobyte, 3.2 * megabyte, 500 * megabyte, gigabyte, 78 * gigabyte], formatBytes, [
		'1 byte',
		'1023 bytes',
		'1 KB',
		'14 KB',
		'3.2 MB',
		'500 MB',
		'1 GB',
		'78 GB',
	]);
});
