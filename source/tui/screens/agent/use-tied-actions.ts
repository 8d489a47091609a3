import {useUiServices} from '../../app-context.ts';
import {useToggle} from '../../hooks/use-toggle.ts';
import {type ActionName} from '../../keys/key-table.ts';
import {actOnSwitches} from '../act-on-switches.ts';
import {sayNotSwitched} from '../not-switched.ts';
import {overlayOfTied, type TiedAbility} from './tied-abilities.ts';
import {type TiedAbilities} from './use-tied-abilities.ts';

/** Carries out actions that switch or open the ability under the cursor of an opened agent; false for any other action. */
export const useTiedActions = ({installed}: Pick<TiedAbilities, 'installed'>): ((action: ActionName, current: TiedAbility | undefined, areShown: boolean) => boolean) => {
	const ui = useUiServices();
	const toggle = useToggle();
	const {store, say} = ui;

	const sayNone = (areShown: boolean, what: string): void => {
		say('info', areShown ? `There is no ability to ${what}.` : 'This service doesn\'t show which abilities an agent has.');
	};

	const open = (current: TiedAbility | undefined, areShown: boolean): void => {
		const overlay = current && overlayOfTied(current);
		if (overlay !== undefined) {
			store.dispatch({type: 'open', overlay});
		} else if (current === undefined) {
			sayNone(areShown, 'open');
		} else {
			say('info', `This service doesn't list the ability ${current.name}.`);
		}
	};

	return (action, current, areShown) => {
		if (action === 'open') {
			open(current, areShown);
			return true;
		}

		return actOnSwitches(action, {
			ui,
			toggle,
			markedIds: undefined,
			record: current?.installed,
			sayNoRecord() {
				if (current === undefined) {
					sayNone(areShown, 'switch');
				} else {
					sayNotSwitched(ui, installed, {...current, isOpenedFirst: true});
				}
			},
		});
	};
};
