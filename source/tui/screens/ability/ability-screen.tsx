import {type ReactElement} from 'react';
import {useAppState, useProgram} from '../../app-context.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {useToggle} from '../../hooks/use-toggle.ts';
import {hintOf, keyName, scrollHints} from '../../keys/hints.ts';
import {type ActionName} from '../../keys/key-table.ts';
import {type Keymap} from '../../keys/keymap.ts';
import {fieldLines, labelColumnsOf} from '../../widgets/field-list-lines.ts';
import {FieldList} from '../../widgets/field-list.tsx';
import {type Hint} from '../../widgets/hint-line.tsx';
import {moveOf} from '../../widgets/list/index.ts';
import {Notice} from '../../widgets/notice.tsx';
import {useTextScroll} from '../../widgets/use-text-scroll.ts';
import {AgentFrame, agentLayoutOf, TitleLine} from '../agent/agent-frame.tsx';
import {refuseWhenReadOnly} from '../read-only.ts';
import {useOpenedKeys} from '../use-opened-keys.ts';
import {abilityFields} from './ability-fields.ts';
import {useAbilityActions} from './use-ability-actions.ts';
import {useInstalledActions} from './use-installed-actions.ts';
import {useOpenedAbility, type Opened, type OpenedAbility} from './use-opened-ability.ts';

const hintsOf = (keymap: Keymap, {resource}: Opened, {installed}: OpenedAbility, {isReadOnly, position}: {readonly isReadOnly: boolean; readonly position: string}): readonly Hint[] => {
	const writes: readonly ActionName[] = resource === 'installed'
		? ['toggle', 'edit-phrases', 'uninstall']
		: [installed === undefined ? 'install' : 'toggle', 'delete'];
	return [
		{key: 'esc', label: 'back'},
		...scrollHints(keymap, position),
		...[...(isReadOnly ? [] : writes), 'copy-id' as const, 'help' as const].map(name => hintOf(keymap, name)),
	].filter(hint => hint !== undefined);
};

/** One ability, or one installed record, with all that the service shows of it. */
export const AbilityScreen = (opened: Opened): ReactElement => {
	const {resource, id} = opened;
	const program = useProgram();
	const {keymap, say, isReadOnly} = program;
	const session = useServiceSession();
	const state = useAppState();
	const {columns} = state.size;
	const shown = useOpenedAbility(opened);
	const {ability, installed, isReading, error} = shown;
	const {toggle} = useToggle();
	const actOnAbility = useAbilityActions();
	const actOnInstalled = useInstalledActions();
	const fields = abilityFields({...shown, now: Math.max(program.startedAt, shown.asOf)});
	const lines = fieldLines(fields, columns - 2);
	const {bodyRows} = agentLayoutOf(state);
	const {top, move, position} = useTextScroll(lines.length, bodyRows);
	const name = (ability ?? installed)?.name ?? `#${id}`;

	const switchIt = (): void => {
		if (refuseWhenReadOnly(program)) {
			return;
		}

		if (installed === undefined) {
			say('info', `There is nothing to switch: ${name} is ${shown.state.text}.`);
		} else {
			toggle(installed.id);
		}
	};

	const actOnRecord = (action: ActionName): boolean =>
		resource === 'abilities' ? actOnAbility(action, ability, []) : actOnInstalled(action, installed, []);

	const act = (action: ActionName): boolean => {
		const step = moveOf(action);
		if (step === undefined) {
			switch (action) {
				case 'toggle': {
					switchIt();

					break;
				}

				case 'refresh': {
					shown.refresh();

					break;
				}

				case 'copy-id': {
					void program.copy(String(id), `The id of ${name}`);

					break;
				}

				default: {
					return action === 'open' || actOnRecord(action);
				}
			}
		} else {
			move(step);
		}

		return true;
	};

	useOpenedKeys({screen: resource, act});

	const reading = isReading ? 'reading…' : (error === undefined ? '' : '! as the list has it');
	const note = [reading, `${session.profileName}${isReadOnly ? ' [read-only]' : ''}`, position].filter(text => text !== '').join(' · ');
	return (
		<AgentFrame
			head={<TitleLine title={name} note={note}/>}
			hints={hintsOf(keymap, opened, shown, {isReadOnly, position})}
		>
			{lines.length === 0
				? (
					<Notice
						width={columns}
						height={bodyRows}
						tone={error === undefined ? 'secondary' : 'error'}
						title={error === undefined ? (isReading ? 'Reading it…' : `${name} is not there any more.`) : `! ${error.message}`}
						hint={error === undefined ? undefined : `${keyName(program.keymap, 'refresh')} tries again.`}
					/>
				)
				: <FieldList lines={lines} labelColumns={labelColumnsOf(fields, columns - 2)} width={columns} top={top} height={bodyRows}/>}
		</AgentFrame>
	);
};
