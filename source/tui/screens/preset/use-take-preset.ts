import {useMemo} from 'react';
import {SwitchboardError} from '../../../interface/errors.ts';
import {type Ability, type InstalledAbility} from '../../../interface/records.ts';
import {takePreset} from '../../../state/take-preset.ts';
import {useAppState} from '../../app-context.ts';
import {isShownEnabled, type Intents} from '../../hooks/intents.ts';
import {seenRecords} from '../../hooks/seen-records.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {useInstalled} from '../../hooks/use-installed.ts';
import {type Screens} from '../../state/view.ts';
import {installedLookup} from '../../../interface/installed-lookup.ts';

type Taken = ReturnType<typeof takePreset>;

type TakePreset = {
	/** What would be saved now; `undefined` while the installed abilities are not known. */
	readonly shown: Taken['preset'] | undefined;
	readonly isUnreadable: boolean;
	/** How many rows are marked, of which alone a preset is made; 0 for all that is installed. */
	readonly markedCount: number;
	/**
	The present state as the screen shows it, once the list is not being read.
	@throws SwitchboardError if it cannot be read, or `usage` if there is nothing to save.
	*/
	readonly take: (name: string) => Promise<Taken>;
};

/** Marks of agents say nothing about abilities. */
const marksOf = ({screen, views}: Screens): ReadonlySet<number> => screen === 'agents' ? new Set() : views[screen].marks;

/** The installed abilities of the marked rows; all of them if no row is marked. */
const chosenOf = (installed: readonly InstalledAbility[], abilities: readonly Ability[], {screen, views}: Screens): readonly InstalledAbility[] => {
	const marks = marksOf({screen, views});
	if (marks.size === 0) {
		return installed;
	}

	if (screen === 'installed') {
		return installed.filter(({id}) => marks.has(id));
	}

	const installedOf = installedLookup(installed);
	return abilities.filter(({id}) => marks.has(id)).map(ability => installedOf(ability)).filter(record => record !== undefined);
};

const takeFrom = (name: string, chosen: readonly InstalledAbility[], intents: Intents): Taken =>
	takePreset(name, chosen.map(record => ({id: record.id, name: record.name, isEnabled: isShownEnabled(record, intents)})));

export const useTakePreset = (): TakePreset => {
	const session = useServiceSession();
	const screen = useAppState(state => state.screen);
	const views = useAppState(state => state.views);
	const installed = useInstalled();
	const {records, intents, isFromEarlierRun} = installed;
	const abilities = seenRecords(session, 'abilities');
	const markedCount = marksOf({screen, views}).size;

	const shown = useMemo(
		() => records && takeFrom('', chosenOf(records, abilities ?? [], {screen, views}), intents).preset,
		[records, abilities, screen, views, intents],
	);

	return {
		shown,
		isUnreadable: installed.error !== undefined && !installed.isReading,
		markedCount,
		async take(name) {
			if (records === undefined || isFromEarlierRun || installed.isReading || installed.error !== undefined) {
				const error = await installed.refresh();
				if (error !== undefined) {
					throw error;
				}
			}

			const chosen = chosenOf(seenRecords(session, 'installed') ?? [], abilities ?? [], {screen, views});
			if (chosen.length === 0) {
				throw new SwitchboardError('usage', markedCount === 0 ? 'Nothing is installed: there is nothing to save.' : 'None of the marked abilities is installed: there is nothing to save.');
			}

			const taken = takeFrom(name, chosen, session.toggles.getIntents());
			if (taken.preset.on.length + taken.preset.off.length === 0) {
				throw new SwitchboardError('usage', 'This service doesn\'t show which of them are on: there is nothing to save.');
			}

			return taken;
		},
	};
};
