import {assert, test} from '../helpers/node.ts';
import {unwrapKey} from '../../source/platform/pasted-key.ts';

const cases: ReadonlyArray<readonly [pasted: string, key: string, removed: readonly string[]]> = [
	['  oh_12\r\n', 'oh_12', []],
	['"oh_12"', 'oh_12', ['quotes']],
	["'oh_12'\n", 'oh_12', ['quotes']],
	['“oh_12”', 'oh_12', ['quotes']],
	['OPENHOME_API_KEY=oh_12', 'oh_12', ['“NAME=”']],
	['export OPENHOME_API_KEY="oh_12"', 'oh_12', ['“export”', '“NAME=”', 'quotes']],
	['"OPENHOME_API_KEY=oh_12"', 'oh_12', ['quotes', '“NAME=”']],
	['key = "oh_12"', 'oh_12', ['“NAME=”', 'quotes']],
	['Bearer oh_12', 'oh_12', ['“Bearer”']],
	['OPENHOME_JWT="bearer  oh_12"', 'oh_12', ['“NAME=”', 'quotes', '“Bearer”']],
	// One pair, and one name.
	[`"'oh_12'"`, "'oh_12'", ['quotes']],
	['A=b=c', 'b=c', ['“NAME=”']],
	// A quote without its pair, and base64, belong to the key.
	['"oh_12', '"oh_12', []],
	[`"oh_12'`, `"oh_12'`, []],
	['b2hfMTI=', 'b2hfMTI=', []],
	['b2hfMQ==', 'b2hfMQ==', []],
	['exported', 'exported', []],
	// An unset variable.
	['export OPENHOME_API_KEY=', '', ['“export”', '“NAME=”']],
	['OPENHOME_API_KEY=""', '', ['“NAME=”', 'quotes']],
	['Bearer ', '', ['“Bearer”']],
	['""', '', ['quotes']],
	['', '', []],
	// A break is left for who refuses it.
	['oh_\n12', 'oh_\n12', []],
	['KEY="oh_ 12"', 'oh_ 12', ['“NAME=”', 'quotes']],
];

test('what surrounds a pasted key is taken off, once each, and nothing of the key', () => {
	for (const [pasted, key, removed] of cases) {
		assert.deepEqual(unwrapKey(pasted), {key, removed}, pasted);
	}
});
