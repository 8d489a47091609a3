import {
	deletionLosses,
	isRevertible,
	laterEntries,
	listsToRevert,
	planReversal,
	type KnownRecords,
	type PlannedReversal,
} from '../../changes/revert.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {entryName, type HistoryEntry} from '../../interface/history.ts';
import {rawName, type Ability, type Agent, type DecodedRecord, type InstalledAbility, type Resource} from '../../interface/records.ts';
import {shellWord} from '../../platform/shell-word.ts';
import {doneText} from '../../changes/change.ts';
import {findField, resourceOf, type RecordKind} from '../../changes/fields.ts';
import {agentStep} from '../../state/plan-state.ts';
import {setStep, type Step, type StepOutcome} from '../../state/plan.ts';
import {clock} from '../../words/age.ts';
import {isInteractive, type Context} from '../context.ts';
import {readList} from '../find-records.ts';
import {runPlan} from '../run-plan.ts';
import {differencesOf, type Plan} from '../state/prepare-plan.ts';
import {throwFailedChanges} from '../state/show-plan.ts';
import {withService, type Service} from '../with-service.ts';
import {readEntry} from './read-entries.ts';

type RevertPlan = Plan & Pick<PlannedReversal, 'isOvertaken' | 'gone'>;

/** What to do about a change that cannot be reverted, by its kind and field. */
const remedies: ReadonlyMap<string, (word: string, entry: HistoryEntry) => string> = new Map([
	[
		'installed installed',
		(word, {to}) => (to === true ? `To uninstall it: switchboard uninstall ${word}` : `To install it again: switchboard install ${word}`),
	],
	['installed enabled', word => `To install it again: switchboard install ${word}`],
	['installed triggers', word => `To install it again: switchboard install ${word}`],
	[
		'ability exists',
		(word, {to}) =>
			to === true
				? `To delete it: switchboard abilities delete ${word}`
				: `${deletionLosses}\nTo upload it again: switchboard abilities push FOLDER`,
	],
	[
		'ability version',
		(word, {from}) =>
			`To bring back its source: switchboard abilities restore ${word} --version ${typeof from === 'string' && from !== '' ? shellWord(from) : 'N'}`,
	],
	[
		'key exists',
		(word, {to}) => (to === true ? `To revoke it: switchboard keys revoke ${word}` : 'To make another one: switchboard keys create'),
	],
] as const);

/** Why a change cannot be reverted, and what to do instead. A record that is gone is no mistake in what was typed. */
const toRefusal = (entry: HistoryEntry, {kind, message, nextStep}: SwitchboardError): SwitchboardError => {
	const remedy =
		isRevertible(entry) && kind !== 'not-found'
			? undefined
			: remedies.get(`${entry.kind} ${entry.field}`)?.(shellWord(entryName(entry)), entry);
	return new SwitchboardError(kind === 'not-found' ? 'refused' : kind, `${message} Nothing was done.`, {nextStep: remedy ?? nextStep});
};

const toStep = ({seen, ...change}: NonNullable<PlannedReversal['reversal']>, abilities: readonly Ability[]): Step => {
	const {kind, field, to} = change;
	if (field !== 'abilities') {
		return setStep(resourceOf[kind], seen as Agent & Ability & InstalledAbility, {[field]: to});
	}

	const wanted = new Set(to as readonly number[]);
	const ties = abilities.filter(({id}) => wanted.has(id)).map(ability => ({id: ability.id, name: rawName(ability)}));
	const names = new Map(abilities.map(ability => [ability.id, rawName(ability)]));
	return agentStep(seen as Agent, {}, ties, id => names.get(id));
};

/** Reads what the record is now, and plans the change that brings back what it was. Sends no write. */
const planRevert = async (context: Context, service: Service, entry: HistoryEntry): Promise<RevertPlan> => {
	const lists: Record<Resource, readonly DecodedRecord[]> = {installed: [], agents: [], abilities: []};
	const wanted = isRevertible(entry) ? listsToRevert(entry) : [];
	for (const resource of wanted) {
		lists[resource] = await readList(context, service, resource);
	}

	const records = lists as KnownRecords;
	try {
		const {reversal, isOvertaken, gone} = planReversal(entry, records);
		const step = reversal && toStep(reversal, records.abilities);
		const steps = step === undefined ? [] : [step];
		return {
			steps,
			unchangedCount: 1 - steps.length,
			differences: await differencesOf(context.options.isJson ? [] : steps),
			isOvertaken: isOvertaken && step !== undefined,
			gone,
		};
	} catch (error) {
		throw error instanceof SwitchboardError ? toRefusal(entry, error) : error;
	}
};

/** What came after a change on the same field, as a sentence, and how to begin with that instead. */
const explainLater = async ({readSignal}: Context, {history}: Service, reverted: HistoryEntry) => {
	const {id, kind, record, field} = reverted;
	const {entries} = await history.read({records: [record], kind, after: id, limit: 1000}, readSignal);
	const [latest] = laterEntries(reverted, entries);
	return latest === undefined
		? {
				sentence: `The ${findField(resourceOf[kind as RecordKind], field)!.noun} of ${entryName(reverted)} is no longer what change ${id} made it, and the history does not say why.`,
				nextStep: 'Change it by its own command.',
			}
		: {
				sentence: `Change ${latest.id} came after it (by ${latest.by}, ${clock(Date.parse(latest.at), Date.now())}): ${entryName(latest)} ${doneText(latest)}.`,
				nextStep: `See it with: switchboard history show ${latest.id}\nTo revert that one first: switchboard history revert ${latest.id}`,
			};
};

const revertEntry = async (context: Context, service: Service, entry: HistoryEntry): Promise<readonly StepOutcome[]> =>
	runPlan(context, service, {
		makePlan: async () => planRevert(context, service, entry),
		async explain(plan) {
			const later = plan.isOvertaken ? await explainLater(context, service, entry) : undefined;
			for (const name of plan.gone) {
				context.note(`The ability ${name} is gone, so ${entryName(entry)} cannot have it again.`, 'warning');
			}

			if (later !== undefined && (context.isDryRun || isInteractive(context))) {
				context.note(later.sentence, 'warning');
			} else if (later !== undefined) {
				throw new SwitchboardError('conflict', `${later.sentence} Nothing was done.`, {nextStep: later.nextStep});
			}

			return {verb: 'revert it', question: later && 'Make this change all the same?', isAlwaysAsked: later !== undefined};
		},
	});

/** Brings back what was before a change, after a question. */
export const revert = async (context: Context, id: number): Promise<void> => {
	throwFailedChanges(await withService(context, async service => revertEntry(context, service, await readEntry(context, service, id))));
};
