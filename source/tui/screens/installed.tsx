import {useMemo, type ReactElement} from 'react';
import {type InstalledAbility} from '../../interface/records.ts';
import {stateWord} from '../../interface/state-word.ts';
import {useAppState, useUiServices} from '../app-context.ts';
import {useAbilities} from '../hooks/use-abilities.ts';
import {useAgentNames} from '../hooks/use-agent-names.ts';
import {reasonText} from '../hooks/late-change.ts';
import {isShownEnabled} from '../hooks/intents.ts';
import {useInstalled} from '../hooks/use-installed.ts';
import {useToggle} from '../hooks/use-toggle.ts';
import {keyName} from '../keys/hints.ts';
import {parseFilter} from '../state/filter.ts';
import {layoutOf} from '../state/layout.ts';
import {abilityLookup} from '../../interface/installed-lookup.ts';
import {useInstalledActions} from './ability/use-installed-actions.ts';
import {actOnSwitches} from './act-on-switches.ts';
import {abilityDetails} from './list/ability-details.ts';
import {abilityLine} from './list/ability-row.ts';
import {abilityColumns, abilityHead} from './list/columns.ts';
import {installedCounts} from './list/counts.ts';
import {ListScreen} from './list/list-screen.tsx';

/** The installed abilities; Space switches the one under the cursor, E and D all marked ones. */
export const InstalledScreen = (): ReactElement => {
	const ui = useUiServices();
	const installed = useInstalled();
	const toggle = useToggle();
	const actOnInstalled = useInstalledActions();
	const listColumns = useAppState(state => layoutOf(state).listColumns);
	const filter = useAppState(({views}) => views.installed.filter);
	const columns = useMemo(() => abilityColumns(listColumns), [listColumns]);
	const now = useAppState(state => state.now);
	const {intents} = installed;
	const {dependsOnAgents} = parseFilter(filter);
	const agentNames = useAgentNames(dependsOnAgents);
	const abilities = useAbilities(dependsOnAgents);
	const abilityOf = useMemo(() => abilityLookup(abilities.records ?? []), [abilities.records]);

	const failureOf = ({id}: InstalledAbility): string | undefined => {
		const failure = toggle.failures.get(id);
		return failure && reasonText(failure);
	};

	return (
		<ListScreen
			screen='installed'
			plural='installed abilities'
			emptyHint={`${keyName(ui.keymap, 'abilities')} lists all abilities.`}
			head={abilityHead(columns)}
			counts={installedCounts(installed)}
			resource={installed}
			toRowData={record => ({
				...record, isEnabled: isShownEnabled(record, intents), hasFailed: toggle.failures.has(record.id), agents: agentNames.of(abilityOf(record)?.id ?? record.abilityId),
			})}
			tiesKey={`${agentNames.key} ${abilities.records?.length}`}
			eventsKey={[...toggle.failures.keys()].join(' ')}
			lineOf={(record, look) => abilityLine({
				...look,
				record,
				columns,
				now,
				isEnabled: isShownEnabled(record, intents),
				isInstalled: true,
				isPending: intents.has(record.id),
				hasFailed: toggle.failures.has(record.id),
			})}
			detailsOf={record => abilityDetails(record, {state: stateWord(isShownEnabled(record, intents)), now, failure: failureOf(record)})}
			onAction={(action, record, marked) => actOnInstalled(action, record, marked) || actOnSwitches(action, {
				ui,
				toggle,
				markedIds: marked.length === 0 ? undefined : marked.map(({id}) => id),
				record,
				sayNoRecord() {
					ui.say('info', 'No row to switch.', 'installed');
				},
			})}
		/>
	);
};
