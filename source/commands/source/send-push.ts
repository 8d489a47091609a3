import {namedChanges} from '../../bundle/compare-files.ts';
import {indexNames} from '../../interface/name-index.ts';
import type {Context} from '../context.ts';
import type {ItemOutcome} from '../item-outcome.ts';
import type {Service} from '../with-service.ts';
import {versionInUse} from '../../interface/version-in-use.ts';
import {createFromSource} from './create-from-source.ts';
import {type Push} from './prepare-push.ts';
import {sendRelease} from './send-release.ts';

/** What became of a folder that was pushed. */
export type Pushed = {
	/** Of the ability; `undefined` if the service did not say. */
	readonly id: number | undefined;
	readonly action: Push['work']['action'];
	readonly version: string | undefined;
};

export type PushOutcome = ItemOutcome<Push, Pushed>;

/**
Creates the ability or releases its new code, if it differs. In a dry run it sends nothing and returns what it would do.

@param message - of the release; by default one that names the files.
*/
export const sendPush = async (context: Context, service: Service, {id, packed, work}: Push, message: string | undefined): Promise<Pushed> => {
	const {action} = work;
	if (action === 'unchanged') {
		return {id, action, version: work.version};
	}

	if (action === 'created') {
		const created = context.isDryRun ? undefined : await createFromSource(context, service, packed, work.before);
		return {id: created?.capabilityId, action, version: undefined};
	}

	const {ability, release, files} = work;
	const version = context.isDryRun
		? release.version
		: await sendRelease(context, service, {
			ability, release, packed, message: message ?? `Update ${namedChanges(files)}`,
		});
	return {id, action, version};
};

const isIncomplete = (outcome: PushOutcome): boolean =>
	'result' in outcome && outcome.result.action !== 'unchanged' && (outcome.result.id === undefined || outcome.result.version === undefined);

/** Adds ids and versions that the answers did not contain, from the list of abilities; as far as it shows them and can be read. */
export const completePushes = async ({isDryRun, readSignal, showProgress}: Context, {client}: Service, outcomes: readonly PushOutcome[]): Promise<readonly PushOutcome[]> => {
	if (isDryRun || outcomes.every(outcome => !isIncomplete(outcome))) {
		return outcomes;
	}

	try {
		showProgress('Reading the new versions …');
		const {records} = await client.list('abilities', readSignal);
		const names = indexNames(records);
		return outcomes.map(outcome => {
			if (!('result' in outcome) || !isIncomplete(outcome)) {
				return outcome;
			}

			const {item, result} = outcome;
			const ability = result.id === undefined ? names.find(item.name)[0] : records.find(({id}) => id === result.id);
			return ability === undefined ? outcome : {item, result: {...result, id: ability.id, version: result.version ?? versionInUse(ability)}};
		});
	} catch {
		// The work is done: what the service calls it is worth no failure.
		return outcomes;
	}
};
