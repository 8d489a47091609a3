import type {ReactElement} from 'react';
import type {Change} from '../../../changes/change.ts';
import {planBoard, readBoard, type BoardPlan} from '../../../changes/board.ts';
import {resourceOf, type Values} from '../../../changes/fields.ts';
import {reasonOf} from '../../../interface/errors.ts';
import {formatCount} from '../../../interface/format-count.ts';
import type {HistoryEntry} from '../../../interface/history.ts';
import {resources} from '../../../interface/records.ts';
import {keyName} from '../../../words/keymap.ts';
import {clock} from '../../../words/age.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {readWhole} from '../../../state/whole-entry.ts';
import {saveChecked} from '../../hooks/saves.ts';
import {useServiceSession, type ServiceSession} from '../../hooks/service-session.ts';
import {useToggle} from '../../hooks/use-resource.ts';
import {refreshHint} from '../list/list-notice.tsx';
import {PlanScreen} from '../plan-screen.tsx';
import {useRead} from './use-read.ts';
import {knownRecords} from './use-revert.ts';

/** Draws the difference from the board as an entry of the history left it, with the question whether to bring that back. */
export function BoardScreen({entry}: {readonly entry: HistoryEntry}): ReactElement {
	const ui = useUiServices();
	const {store, keymap} = ui;
	const session = useServiceSession();
	const toggle = useToggle();
	const {now, screen} = useAppState();
	const {value: plan, error, readAgain} = useRead(async signal => planOf(session, entry, signal));
	const time = clock(Date.parse(entry.at), now, session.account.timeZone.zone);

	const apply = async ({reversals}: BoardPlan): Promise<void> => {
		const switches = reversals.filter(({field}) => field === 'enabled');
		store.dispatch({type: 'show-screen', screen: switches.length > 0 && screen === 'agents' ? 'installed' : screen});
		toggle.applyPreset(
			`the board of ${time}`,
			switches.map(({record, to}) => ({id: record, isEnabled: to as boolean})),
			{undoText: ` ${keyName(keymap, 'undo')} undoes this.`},
		);
		const others = reversals.filter(({field}) => field !== 'enabled');
		for (const same of Map.groupBy(others, ({kind, record}) => `${kind} ${record}`).values()) {
			const [{kind, seen}] = same as [BoardPlan['reversals'][0]];
			const values: Values = Object.fromEntries(same.map(({field, to}) => [field, to]));
			try {
				await saveChecked(session, {resource: resourceOf[kind], seen, values});
				ui.say('info', `${seen.name} is as it was at ${time}. ${keyName(keymap, 'undo')} undoes that.`);
			} catch (error_) {
				ui.say('error', `${seen.name} was not brought back: ${reasonOf(error_)}`);
			}
		}
	};

	return (
		<PlanScreen
			title={`As change ${entry.id} left it, ${time}`}
			question={`Bring back all as change ${entry.id} left it, ${time}?`}
			subject="it"
			noun="board"
			asked={entry}
			plan={
				plan && {changes: plan.reversals.map(reversal => toChange(reversal, session)), warnings: warningsOf(plan), summary: summaryOf(plan)}
			}
			reading="Reading the history…"
			failure={error && {text: `The history could not be read. ${error.message}`, hint: refreshHint(error, keymap)}}
			onRefresh={readAgain}
			onApply={() => {
				void apply(plan!);
			}}
		/>
	);
}

async function planOf(session: ServiceSession, {id}: HistoryEntry, signal: AbortSignal): Promise<BoardPlan> {
	const [board] = await Promise.all([
		readBoard(session.changes.history, {entry: id}, signal),
		...resources.map(async resource => session.records.readAgain(resource)),
	]);
	return planBoard(board, {records: knownRecords(session), readWhole: async entry => readWhole(session.changes.history, entry, signal)});
}

/** Returns a change with abilities by their names. */
function toChange({kind, name, field, from, to}: BoardPlan['reversals'][0], session: ServiceSession): Change {
	const names = new Map(session.records.seen('abilities')?.map(ability => [ability.id, ability.name]));
	const ids = field === 'abilities' ? (to as readonly number[]) : undefined;
	return {kind, name, field, from, to: ids === undefined ? to : ids.map(id => names.get(id) ?? `#${id}`)};
}

const warningsOf = ({unknown, leftAlone, failed}: BoardPlan): readonly string[] => [
	...leftAlone,
	...unknown.map(({name, field, reason}) => `The ${field} of ${name} then is not known: ${reason}.`),
	...failed.map(({error}) => error.message),
];

const summaryOf = ({reversals, unchangedCount}: BoardPlan): string =>
	[
		reversals.length === 0 ? 'Nothing to change' : `${formatCount(reversals.length)} to change`,
		`${formatCount(unchangedCount)} as they were again`,
	].join(', ');
