import {assert, test, type TestContext} from '../../helpers/node.ts';
import type {RecordedRequest} from '../../helpers/recorded-requests.ts';
import {storedNames, typeDelete, isDeletion, isInstallation, isRemoval} from '../helpers/abilities.ts';
import {isEdit, isToggle, type LiveLikeService, openEditorBench, openHome, type RenderedApp, says, storedAgent} from '../helpers/kit.ts';

type Case = {
	readonly what: string;
	readonly screen: 'agents' | 'abilities' | 'installed';
	readonly change: (app: RenderedApp) => unknown;
	readonly isChange: (request: RecordedRequest) => boolean;
	/** True if the service carried it out. */
	readonly isDone: (service: LiveLikeService) => boolean;
	/** The sentence if the list shows the change. */
	readonly done: string;
	/** Those if it does not. */
	readonly unknown: readonly string[];
	readonly cannotUndo?: string;
	/** Leaves the form that is still open. */
	leave?(app: RenderedApp): Promise<void>;
};

const cases: readonly Case[] = [
	{
		what: 'new phrases',
		screen: 'installed',
		change: app => app.press('t', ...', light it up', 'enter'),
		isChange: isToggle,
		isDone: ({installed}) => JSON.stringify(installed).includes('"light it up"'),
		done: 'Saved: lamps listens for “lamps please”, “it is dark” and “light it up”.',
		unknown: [
			'It is not known whether the service saved them: http://127.0.0.1:00000 could not be reached: connection lost.',
			'The list does not show it, but the change may still arrive.',
		],
		cannotUndo: 'Cannot undo: it is not known whether the service saved the trigger phrases of lamps.',
		async leave(app) {
			await app.press('escape').says('Leave without saving?');
			await app.press('y').shows('[3 Installed]');
		},
	},
	{
		what: 'a new name',
		screen: 'agents',
		async change(app) {
			await app.press('c').shows('> Name');
			app.press('ctrl+u', ...'Hob', 'enter');
		},
		isChange: isEdit,
		isDone: service => storedAgent(service, 1)['name'] === 'Hob',
		done: 'Saved: the agent is called Hob.',
		unknown: ['It is not known whether the service saved it:'],
	},
	{
		what: 'a new prompt',
		screen: 'agents',
		async change(app) {
			await app.press('e').shows('Prompt of Hearth');
			app.press('ctrl+k', ...'Be kind.', 'ctrl+s');
		},
		isChange: isEdit,
		isDone: service => storedAgent(service, 1)['description'] === 'Be kind.',
		done: 'Saved: the prompt of Hearth.',
		unknown: ['it is not known whether it was saved:', 'The list does not show it, but the change may still arrive. e edits it again.'],
	},
	{
		what: 'an installation',
		screen: 'abilities',
		change: app => app.press('G', 'i'),
		isChange: isInstallation,
		isDone: service => storedNames(service, 'installed').includes('desk'),
		done: 'desk is installed.',
		unknown: [
			'It is not known whether desk is installed: http://127.0.0.1:00000 could not be reached: connection lost.',
			'The list of installed abilities does not have it, but the change may still arrive.',
		],
	},
	{
		what: 'an uninstallation',
		screen: 'installed',
		async change(app) {
			await app.press('d').says('Uninstall lamps?');
			app.press('y');
		},
		isChange: isRemoval,
		isDone: service => !storedNames(service, 'installed').includes('lamps'),
		done: 'lamps is uninstalled.',
		unknown: ['It is not known whether lamps is uninstalled:', 'It is still in the list, but the change may still arrive.'],
		cannotUndo: 'Cannot undo: it is not known whether lamps was uninstalled.',
	},
	{
		what: 'a deletion',
		screen: 'abilities',
		async change(app) {
			app.press('d');
			await typeDelete(app);
		},
		isChange: isDeletion,
		isDone: service => !storedNames(service, 'abilities').includes('lamps'),
		done: 'lamps is deleted.',
		unknown: [
			'It is not known whether lamps is deleted: http://127.0.0.1:00000 could not be reached: connection lost.',
			'It is still in the list, but the change may still arrive.',
		],
	},
];

for (const {what, screen, change, isChange, isDone, done, unknown, cannotUndo, leave} of cases) {
	for (const isCarriedOut of [true, false]) {
		test(`${what} whose answer is lost ${isCarriedOut ? 'counts' : 'may still arrive'} as the list shows it`, async (t: TestContext) => {
			openEditorBench(t);
			const {service, app} = await openHome(t, {screen, deletion: 'documented', size: {columns: 120, rows: 24}});
			service.failNext({cut: 'connection', isCarriedOut, when: isChange});
			await change(app);
			await app.shows(...(isCarriedOut ? [done] : unknown).map(sentence => says(sentence)));
			assert.equal(isDone(service), isCarriedOut);
			assert.equal(service.requests.filter(request => isChange(request)).length, 1, 'it is not sent again');
			if (cannotUndo !== undefined && !isCarriedOut) {
				await leave?.(app);
				await app.press(...(leave === undefined ? ['escape'] : []), 'u').says(cannotUndo);
			}
		});
	}
}
