import {type ReactElement} from 'react';
import stringWidth from 'string-width';
import {goneText} from '../../../interface/lists.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {useToggle} from '../../hooks/use-toggle.ts';
import {runAction} from '../../keys/action-handlers.ts';
import {
	hintOf,
	keyName,
	scrollHints,
	searchHints,
} from '../../keys/hints.ts';
import {type ActionName} from '../../keys/key-table.ts';
import {type Keymap} from '../../keys/keymap.ts';
import {withMark} from '../../state/severity.ts';
import {detailLines, labelColumnsOf, type DetailField} from '../../widgets/detail-lines.ts';
import {type Hint} from '../../state/hint.ts';
import {moveOf, paneMoveOf} from '../../widgets/list/index.ts';
import {Notice} from '../../widgets/notice.tsx';
import {ScrollText, searchedText, type ScrollLine} from '../../widgets/scroll-text.tsx';
import {useLastKnown, useRememberedState} from '../../widgets/use-remembered-state.ts';
import {useTextScroll} from '../../widgets/use-text-scroll.ts';
import {useTextSearch, type TextSearch} from '../../widgets/use-text-search.ts';
import {actOnSwitches} from '../act-on-switches.ts';
import {
	DetailFrame,
	detailLayoutOf,
	TitleLine,
	useProfileNote,
} from '../detail-frame.tsx';
import {useOpenedKeys} from '../use-opened-keys.ts';
import {useShownAges} from '../use-shown-ages.ts';
import {abilityFields, changedLabel} from './ability-fields.ts';
import {useAbilityActions} from './use-ability-actions.ts';
import {useInstalledActions} from './use-installed-actions.ts';
import {useOpenedAbility, type Opened, type OpenedAbility} from './use-opened-ability.ts';

/** The fields that the screens do not understand, under a heading with their count. */
const folded = (other: readonly DetailField[], isUnfolded: boolean, key: string): readonly DetailField[] =>
	other.length === 0 ? [] : [{heading: `Other fields (${other.length})${isUnfolded ? '' : `: ${key} shows them`}`}, ...(isUnfolded ? other : [])];

/** True if a line of this field is on the screen. */
const isFieldVisible = (name: string, lines: readonly ScrollLine[], top: number, height: number): boolean => {
	const first = lines.findIndex(({label}) => label === name);
	const next = lines.findIndex(({label}, index) => index > first && label !== '');
	return first !== -1 && first < top + height && (next === -1 ? lines.length : next) > top;
};

type HintsOptions = {
	readonly isReadOnly: boolean;
	readonly position: string;
	readonly search: TextSearch;
	/** The hint of the key that folds and unfolds; empty if there is nothing to fold. */
	readonly foldLabel: string;
};

const hintsOf = (keymap: Keymap, {resource}: Opened, {ability, installed}: OpenedAbility, {isReadOnly, position, search, foldLabel}: HintsOptions): readonly Hint[] => {
	if (search.isActive) {
		return searchHints(keymap, search);
	}

	const writes: readonly ActionName[] = resource === 'installed'
		? ['toggle', 'edit-phrases', 'uninstall']
		: [installed === undefined ? 'install' : 'toggle', 'delete'];
	const isThere = (resource === 'installed' ? installed : ability) !== undefined;
	return [
		{key: 'esc', label: 'back'},
		...(isReadOnly || !isThere ? [] : writes).map(name => hintOf(keymap, name)),
		...scrollHints(keymap, position),
		...(foldLabel === '' ? [] : [hintOf(keymap, 'open', foldLabel)]),
		hintOf(keymap, 'copy-id'),
		hintOf(keymap, 'help'),
	].filter(hint => hint !== undefined);
};

/** One ability or one installed record: the known fields at the top, the others folded below. */
export const AbilityScreen = (opened: Opened): ReactElement => {
	const {resource, id} = opened;
	const ui = useUiServices();
	const {keymap, isReadOnly} = ui;
	const profileNote = useProfileNote();
	const state = useAppState();
	const {columns} = state.size;
	const shown = useOpenedAbility(opened);
	const {ability, installed, isReading, error} = shown;
	const name = useLastKnown('name', (resource === 'installed' ? installed : ability)?.name) ?? `#${id}`;
	const toggle = useToggle();
	const actOnAbility = useAbilityActions();
	const actOnInstalled = useInstalledActions();
	const [isUnfolded, setUnfolded] = useRememberedState('unfolded', false);
	const {known, other, changedAt} = abilityFields({...shown, resource, now: state.now});
	// The title may cut a long name.
	const whole = stringWidth(name) > columns / 3 ? [{label: 'Name', text: name}] : [];
	const fields = [...(known.length === 0 ? [] : whole), ...known, ...folded(other, isUnfolded, keyName(keymap, 'open'))];
	const lines = detailLines(fields, columns - 2);
	const {bodyRows} = detailLayoutOf(state);
	const scroll = useTextScroll(lines.length, bodyRows);
	const search = useTextSearch(lines.map(line => searchedText(line)), scroll);
	const {top, move, position} = scroll;
	useShownAges(isFieldVisible(changedLabel, lines, top, bodyRows) ? [changedAt] : []);

	const sayNoRecord = (): void => {
		if (shown.isAbsent) {
			ui.say('info', `${name} is not installed: ${keyName(keymap, 'install')} installs it.`);
		} else {
			ui.say('info', `Nothing to switch: ${name} is ${shown.state.text}.`);
		}
	};

	const actOnRecord = (action: ActionName): boolean =>
		resource === 'abilities' ? actOnAbility(action, ability, []) : actOnInstalled(action, installed, []);

	const actOnState = (action: ActionName): boolean => actOnSwitches(action, {
		ui, toggle, markedIds: undefined, record: installed, sayNoRecord,
	});

	const act = (action: ActionName): boolean => {
		const step = moveOf(action) ?? paneMoveOf(action);
		if (step !== undefined) {
			move(step);
			return true;
		}

		return runAction({
			open() {
				setUnfolded(before => !before);
			},
			refresh: shown.refresh,
			'copy-id'() {
				void ui.copy(String(id), `The id of ${name}`);
			},
		}, action) || actOnState(action) || actOnRecord(action);
	};

	useOpenedKeys({screen: resource, search, act});

	const reading = isReading ? 'reading…' : (error === undefined ? '' : withMark('error', 'as the list has it'));
	const foldLabel = other.length === 0 ? '' : (isUnfolded ? 'fewer fields' : `${other.length} more`);
	return (
		<DetailFrame
			head={<TitleLine title={name} notes={[search.statusWithin(Math.floor(columns / 2)), reading, profileNote, position]}/>}
			hints={hintsOf(keymap, opened, shown, {
				isReadOnly, position, search, foldLabel,
			})}
		>
			{lines.length === 0
				? (
					<Notice
						width={columns}
						height={bodyRows}
						tone={error === undefined ? 'secondary' : 'error'}
						title={error === undefined ? (isReading ? 'Reading it…' : goneText(resource, name)) : withMark('error', error.message)}
						hint={error === undefined ? undefined : `${keyName(ui.keymap, 'refresh')} tries again.`}
					/>
				)
				: <ScrollText lines={lines} labelColumns={labelColumnsOf(fields, columns - 2)} top={top} height={bodyRows} partsIn={search.partsIn}/>}
		</DetailFrame>
	);
};
