import {isJsonObject, type JsonValue} from '../interface/json.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {decodeRecord, type InstalledAbility} from '../interface/records.ts';
import {type ListReader} from './read-list.ts';
import {isUnknown, type Router} from './routes.ts';
import {explainUnknown, toggleBody} from './set-enabled.ts';

/** Phrases in the form in which the service gave those that were there: some give one text with commas in it. */
const inFormOf = (before: JsonValue | undefined, phrases: readonly string[]): JsonValue =>
	typeof before === 'string' ? phrases.join(',') : phrases;

/**
Replaces the trigger phrases of an installed ability. The rest of the record is sent along as it was returned, for where
a PUT replaces it, a field left out is lost (`LIVE-SERVICE.md`).

@param installed - the record as the service returned it in this run.
@returns the record with the phrases that the answer has, else with those that were sent.
@throws SwitchboardError `refused` where the service did not return the record's phrases: what it would do with others
cannot be known; nor where it did not say whether the ability is on, which is sent along. Otherwise as `setEnabled` does.
*/
export const editPhrases = async (router: Router, readList: ListReader, installed: InstalledAbility, phrases: readonly string[]): Promise<InstalledAbility> => {
	const {id, name, raw, isEnabled} = installed;
	if (!Object.hasOwn(raw, 'trigger_words')) {
		throw new SwitchboardError('refused', `The service does not show the trigger phrases of ${name}, so they cannot be edited.`, {field: 'trigger_words'});
	}

	if (isEnabled === undefined) {
		throw new SwitchboardError('refused', `The service does not show whether ${name} is on, and saving its phrases sends that along.`, {
			field: 'enabled', nextStep: 'Switch it on or off first.',
		});
	}

	const sent = inFormOf(raw['trigger_words'], phrases);
	try {
		const answer = await router.call('editInstalled', id, {json: {...toggleBody(raw, isEnabled), trigger_words: sent}});
		const body = answer.json();
		const fields = isJsonObject(body) ? body : {};
		const settled = {
			...raw,
			...((typeof fields['last_updated'] === 'string') && {last_updated: fields['last_updated']}),
			...((typeof fields['enabled'] === 'boolean') && {enabled: fields['enabled']}),
			trigger_words: fields['trigger_words'] ?? sent,
		};
		return decodeRecord('installed', settled)!;
	} catch (error) {
		throw isUnknown(error) ? await explainUnknown(readList, installed, error) : error;
	}
};
