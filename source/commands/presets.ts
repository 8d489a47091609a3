import {formatCount} from '../interface/format-count.ts';
import {cleanName} from '../interface/records.ts';
import type {Preset} from '../settings/presets.ts';
import {later, type Action, type DefineCommand} from './command.ts';
import {defineListCommand} from './list-command.ts';
import {dryRunOption, exitCodeOption} from './options.ts';
import {addTimerOptions} from './timed-switch.ts';
import type {Column} from './output/lay-table.ts';
import {printRows, type TableOptions} from './output/table.ts';
import {chooseTarget} from './with-service.ts';

const cleanNames = (names: readonly string[]): string => names.map(name => cleanName(name)).join(',');

const columns: ReadonlyArray<Column<Preset>> = [
	{title: 'PRESET', name: 'name', text: ({name}) => name, minimumWidth: 12},
	{title: 'ON', text: ({on}) => cleanNames(on), shownText: ({on}) => formatCount(on.length), value: ({on}) => on},
	{title: 'OFF', text: ({off}) => cleanNames(off), shownText: ({off}) => formatCount(off.length), value: ({off}) => off},
];

/** Loaded only for these commands. */
const loadActions = async () => import('./presets/preset-actions.ts');

const list: Action<readonly [options: TableOptions]> = async (context, options) => {
	const {openTargetPresets} = await loadActions();
	const target = await chooseTarget(context);
	const isOfKey = target.kind === 'remote' && target.profileName === undefined;
	await printRows(context, columns, await openTargetPresets(context, target).list(), {
		ifEmpty: `There are no presets${isOfKey ? ' for this key: a key from the environment has its own' : ''}.${context.session?.isReadOnly ? '' : ' Save one with: switchboard presets save NAME'}`,
		options,
	});
};

const savePreset = later(async () => (await loadActions()).savePreset);

const deletePreset = later(async () => (await loadActions()).deletePreset);

export const definePresets: DefineCommand = (parent, run) => {
	const presets = defineListCommand(parent, run, {
		name: 'presets',
		description: 'list presets: named sets of states',
		examples: [
			['switchboard presets', 'the presets for this service'],
			['switchboard presets save night', 'what is on and off now, as “night”'],
			['switchboard presets apply night', 'asks, switches, and says how to go back'],
		],
		columns,
		list,
	});
	presets.notes(
		'\nPresets belong to a profile or, with a key from the environment, to that key.\nOver SSH they are on the server, for all who use a profile.',
	);
	presets
		.command('save')
		.description('save the present states; a preset that had this name is kept as previous-NAME')
		.argument('<name...>', 'letters, digits, “-”, “_” and spaces')
		.option(...dryRunOption)
		.examples(
			['switchboard presets save night', 'of all that is installed'],
			['switchboard presets save good night', 'a name may hold spaces'],
		)
		.action(run(savePreset, {isLocal: true}));
	addTimerOptions(
		presets
			.command('apply')
			.description('switch abilities as a preset says, and leave the rest as it is')
			.argument('<preset...>', 'its name'),
		'back',
	)
		.option('--yes', 'skip the confirmation')
		.option(...dryRunOption)
		.examples(
			['switchboard presets apply night', 'shows what would change and asks for confirmation'],
			['switchboard presets apply night --until 07:00', 'and each that it switches back at 07:00'],
			['switchboard presets apply night --yes', 'for scripts'],
		)
		.notes('\nTo go back, use: switchboard undo')
		.action(run(later(async () => (await loadActions()).applyPreset)));
	presets
		.command('diff')
		.description('show the changes of a preset, and change nothing')
		.argument('<preset...>', 'its name')
		.option(...exitCodeOption)
		.examples(
			['switchboard presets diff night', 'a line for each change, such as: ~ pantry: off → on'],
			['switchboard presets diff night --exit-code', 'for scripts'],
		)
		.exitCodes(['10', 'with --exit-code: there is something to change'])
		.action(run(later(async () => (await loadActions()).diffPreset)));
	presets
		.command('delete')
		.description('delete a preset; nothing is switched')
		.argument('<preset...>', 'its name')
		.option('--yes', 'skip the confirmation')
		.option(...dryRunOption)
		.examples(
			['switchboard presets delete night', 'asks for confirmation on a terminal'],
			['switchboard presets delete night --yes', 'for scripts'],
		)
		.action(run(deletePreset, {isLocal: true}));
	return presets;
};
