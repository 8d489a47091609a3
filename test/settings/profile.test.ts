import {test, type TestContext} from 'node:test';
import {keyLastFour, suggestProfileName} from '../../source/settings/profile.ts';

test('a key shows as its last four characters, and a short one not at all', (t: TestContext) => {
	t.assert.strictEqual(keyLastFour({apiKey: 'sk-0123456789abcd'}), 'abcd');
	t.assert.strictEqual(keyLastFour({apiKey: 'abcd'}), '••••');
	t.assert.strictEqual(keyLastFour({apiKey: undefined}), undefined);
});

test('a profile is called after its host, again where the address is known, and never like another one', (t: TestContext) => {
	const known = {name: 'mine', baseAddress: 'https://voice.example.com', apiKey: undefined};
	t.assert.strictEqual(suggestProfileName([], 'https://app.openhome.com'), 'app.openhome.com');
	t.assert.strictEqual(suggestProfileName([], 'http://127.0.0.1:8787'), '127.0.0.1-8787');
	t.assert.strictEqual(suggestProfileName([], 'http://[::1]:8787'), '1-8787');
	t.assert.strictEqual(suggestProfileName([known], 'https://voice.example.com'), 'mine');
	t.assert.strictEqual(suggestProfileName([known, {...known, name: 'other'}], 'https://voice.example.com', 'other'), 'other');
	t.assert.strictEqual(suggestProfileName([{...known, name: 'voice.example.com', baseAddress: 'https://voice.example.com/old'}], 'https://voice.example.com'), 'voice.example.com-2');
	t.assert.strictEqual(suggestProfileName([], 'http://local'), 'local-2');
});
