import {assert, test} from '../helpers/node.ts';
import {findField, refuseUneditable} from '../../source/changes/fields.ts';
import {toSwitchboardError} from '../../source/interface/errors.ts';
import {decodeRecord} from '../../source/interface/records.ts';

function refusalOf(raw: Readonly<Record<string, unknown>>): readonly unknown[] {
	try {
		refuseUneditable('installed', decodeRecord('installed', {id: 1, name: 'lamps', ...raw})!, {triggers: ['light it up']});
		return [];
	} catch (error) {
		const {kind, field, message} = toSwitchboardError(error);
		return [kind, field, message];
	}
}

test('a field of an installed ability is edited only where the service shows all of it, and the state that is sent with it', () => {
	assert.deepEqual(refusalOf({enabled: true, trigger_words: ['lamps please']}), []);
	assert.deepEqual(refusalOf({enabled: true, trigger_words: null}), []);
	assert.deepEqual(refusalOf({enabled: true}), [
		'refused',
		'trigger_words',
		'The service does not show the trigger phrases of lamps, so they cannot be edited.',
	]);
	assert.deepEqual(refusalOf({enabled: true, trigger_words: Array.from({length: 1001}, (_, index) => `phrase ${index}`)}), [
		'refused',
		'trigger_words',
		'lamps has too many trigger phrases to be edited here: some of them would be lost.',
	]);
	assert.deepEqual(refusalOf({trigger_words: ['lamps please']}), [
		'refused',
		'enabled',
		'The service does not show whether lamps is on, which has to be sent with its trigger phrases.',
	]);
});

test('a cancelled timer is told as that', () => {
	const timer = {enabled: true, at: '2030-01-31T18:00:00.000Z', note: ''};
	assert.equal(findField('installed', 'timer')!.words!(timer, null), 'timer cancelled');
});
