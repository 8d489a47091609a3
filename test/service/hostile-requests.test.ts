import {assert, test} from '../helpers/node.ts';
import {sendHostileRequests} from '../fuzz/service/send-hostile-requests.ts';
import {createRandom} from '../helpers/terminal/random.ts';

test('hostile requests made from the OpenAPI document are answered without a failure, and change no text that they store', async () => {
	const {accepted, refused} = await sendHostileRequests(createRandom(7), 200);
	// Both kinds must be among them, or the test would prove little.
	assert.ok(accepted! > 40, String(accepted));
	assert.ok(refused! > 40, String(refused));
});
