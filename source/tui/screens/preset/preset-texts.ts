import {formatCount} from '../../../interface/format-count.ts';
import {cleanName} from '../../../interface/records.ts';
import {changeText} from '../../../state/change-text.ts';
import {type Preset} from '../../../state/preset.ts';
import {type PresetPlan} from '../../../state/preset-plan.ts';
import {type LeftOut} from '../../../state/take-preset.ts';
import {withMark} from '../../state/severity.ts';
import {type ScrollLine} from '../../widgets/scroll-text.tsx';

/** Such as “3 on, 9 off”. */
export const countsText = ({on, off}: Pick<Preset, 'on' | 'off'>): string => `${formatCount(on.length)} on, ${formatCount(off.length)} off`;

/** Such as “2 to change”. */
export const changeCountText = ({changes}: PresetPlan): string => changes.length === 0 ? 'no change' : `${formatCount(changes.length)} to change`;

/** The names of a few, or how many there are; with the verb that fits. */
const subjectOf = (names: readonly string[], [one, many]: readonly [string, string]): string => {
	const listed = names.slice(0, 3).map(name => cleanName(name));
	return `${names.length <= 3 ? listed.join(', ') : formatCount(names.length)} ${names.length === 1 ? one : many}`;
};

/** What a preset names and leaves alone, in sentences; empty if there is nothing. */
export const leftAloneText = ({missing, shared}: PresetPlan): string => [
	missing.length === 0 ? '' : `${subjectOf(missing, ['is', 'are'])} not installed.`,
	shared.length === 0 ? '' : `${subjectOf(shared.map(({name}) => name), ['is the name', 'are the names'])} of several, which were left alone.`,
].filter(Boolean).join(' ');

/** What a new preset does not hold, in sentences; empty if there is nothing. */
export const leftOutText = (leftOut: readonly LeftOut[]): string => {
	const namesOf = (wanted: LeftOut['reason']): readonly string[] => leftOut.filter(({reason}) => reason === wanted).map(({name}) => name);
	const [unknown, shared] = [namesOf('unknown-state'), namesOf('shared-name')];
	return [
		unknown.length === 0 ? '' : `${subjectOf(unknown, ['is', 'are'])} left out: this service doesn't show whether ${unknown.length === 1 ? 'it is' : 'they are'} on.`,
		shared.length === 0 ? '' : `${subjectOf(shared, ['is', 'are'])} left out: several have the name.`,
	].filter(Boolean).join(' ');
};

/** What a preset would do, a line each, and what it leaves alone. */
export const planLines = ({changes, missing, shared}: PresetPlan): readonly ScrollLine[] => [
	...changes.map(change => ({text: changeText(change)})),
	...missing.map(name => ({text: withMark('warning', `${cleanName(name)}: not installed`), tone: 'warning' as const})),
	...shared.map(({name, ids}) => ({text: withMark('warning', `${cleanName(name)}: the name of several (${ids.slice(0, 10).join(', ')})`), tone: 'warning' as const})),
];
