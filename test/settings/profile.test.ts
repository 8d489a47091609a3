import {assert, test} from '../helpers/node.ts';
import {keyLastFour, suggestProfileName} from '../../source/settings/profile.ts';

test('a key is shown as its last four characters, a short key not at all', () => {
	assert.equal(keyLastFour({apiKey: 'sk-0123456789abcd'}), 'abcd');
	assert.equal(keyLastFour({apiKey: 'abcd'}), '••••');
	assert.equal(keyLastFour({apiKey: undefined}), undefined);
});

test('the suggested profile name is that of a profile with the same address, otherwise a free name made from the host', () => {
	const known = {name: 'mine', baseAddress: 'https://voice.example.com', apiKey: undefined};
	assert.equal(suggestProfileName([], 'https://app.openhome.com'), 'app.openhome.com');
	assert.equal(suggestProfileName([], 'http://127.0.0.1:8787'), '127.0.0.1-8787');
	assert.equal(suggestProfileName([], 'http://[::1]:8787'), '1-8787');
	assert.equal(suggestProfileName([known], 'https://voice.example.com'), 'mine');
	assert.equal(suggestProfileName([known, {...known, name: 'other'}], 'https://voice.example.com', 'other'), 'other');
	assert.equal(
		suggestProfileName([{...known, name: 'voice.example.com', baseAddress: 'https://voice.example.com/old'}], 'https://voice.example.com'),
		'voice.example.com-2',
	);
	assert.equal(suggestProfileName([], 'http://local'), 'local-2');
});
