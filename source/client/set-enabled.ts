import {isJsonObject, type JsonObject} from '../interface/json.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {decodeRecord, type InstalledAbility} from '../interface/records.ts';
import {type ListReader} from './read-list.ts';
import {isUnknown, type Router} from './routes.ts';

/** What public clients send beside `enabled`: where a PUT replaces the record, a field left out is lost (`LIVE-SERVICE.md`). */
const replacedFields = ['name', 'category', 'trigger_words', 'system_capability', 'agent_capability'] as const;

/** The body of a toggle: `enabled`, and those of the replaced fields that the service itself returned, unchanged. */
export const toggleBody = (raw: JsonObject, isEnabled: boolean): JsonObject => ({
	enabled: isEnabled,
	...Object.fromEntries(replacedFields.flatMap(field => Object.hasOwn(raw, field) ? [[field, raw[field]!]] : [])),
});

/**
Enables or disables an installed ability.

@param installed - the record as the service returned it in this run.
@param signal - cancels it; nothing is sent after that.
@returns the record as it is now: at the answer's `enabled` where that is a boolean, else at what was sent.
@throws SwitchboardError `not-found` only after the list was asked whether it is the record or the path that is unknown.
*/
export const setEnabled = async (router: Router, readList: ListReader, installed: InstalledAbility, isEnabled: boolean, signal?: AbortSignal): Promise<InstalledAbility> => {
	const body = toggleBody(installed.raw, isEnabled);
	try {
		const answer = await router.call('editInstalled', installed.id, {json: body, signal});
		const settled = answer.json();
		const fields = isJsonObject(settled) ? settled : {};
		const isSettledEnabled = typeof fields['enabled'] === 'boolean' ? fields['enabled'] : isEnabled;
		const raw: JsonObject = {
			...installed.raw,
			...((typeof fields['last_updated'] === 'string') && {last_updated: fields['last_updated']}),
			enabled: isSettledEnabled,
		};
		return decodeRecord('installed', raw) ?? {...installed, raw, isEnabled: isSettledEnabled};
	} catch (error) {
		// Where an earlier try may have been carried out, its 404 does not say so.
		throw isUnknown(error) && !error.isOutcomeUnknown ? await explainUnknown(readList, installed, error, signal) : error;
	}
};

/** A 404 for a path with an id in it means the path or the id (`LIVE-SERVICE.md`, Behaviour): the list tells which. */
export const explainUnknown = async (readList: ListReader, installed: InstalledAbility, error: SwitchboardError, signal?: AbortSignal): Promise<SwitchboardError> => {
	const {status} = error;
	try {
		const {records, isComplete} = await readList('installed', signal);
		if (records.some(({id}) => id === installed.id)) {
			return new SwitchboardError('not-found', `The service lists ${installed.name} but does not know how to change it (HTTP ${status}).`, {
				status, nextStep: 'Check the address of the service.',
			});
		}

		// What a list that was cut short does not show may be there all the same.
		return isComplete ? new SwitchboardError('not-found', `${installed.name} is not installed any more.`, {status, nextStep: 'Read the list again.'}) : error;
	} catch {
		return error;
	}
};
