import {formatCount} from '../../interface/format-count.ts';
import {isForPerson, type Context} from '../context.ts';
import {noteDryRun, startLocalChange, type DryRunOption} from '../dry-run.ts';
import {confirmOnTerminal} from '../input/confirm.ts';
import {findStoredPreset, openChosenPresets} from './stored-presets.ts';

export type DeletePresetOptions = DryRunOption & {readonly yes?: boolean};

/** Deletes a preset; nothing is switched. */
export const deletePreset = async (given: Context, word: string, options: DeletePresetOptions): Promise<void> => {
	const context = startLocalChange(given, options);
	const presets = await openChosenPresets(context);
	const {name, on, off} = await findStoredPreset(presets, word);
	const question = `Delete the preset ${name} (${formatCount(on.length)} on, ${formatCount(off.length)} off)? This cannot be undone.`;
	await confirmOnTerminal(context, options.yes ?? false, question, 'Nothing was deleted.', async () => context.printJson({name, deleted: false}));
	if (!context.isDryRun) {
		await presets.remove(name);
	}

	if (context.options.isJson) {
		await context.printJson({name, deleted: true});
	} else if (isForPerson(context)) {
		context.print(`${context.isDryRun ? 'Would delete' : 'Deleted'} the preset ${name}.`);
	} else {
		context.print(`${name}\tdeleted`);
	}

	noteDryRun(context);
};
