import {assertMapped, test} from '../helpers/node.ts';
import {counted} from '../../source/interface/format-count.ts';

test('one thing is counted in the singular, any other number in the plural', () =>
	assertMapped([0, 1, 2, 1400], count => counted(count, 'record'), ['0 records', '1 record', '2 records', '1,400 records']));
