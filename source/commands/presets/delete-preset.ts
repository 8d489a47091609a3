import {isForPerson, type Context} from '../context.ts';
import {noteDryRun, startLocalChange, type DryRunOption} from '../dry-run.ts';
import {findStoredPreset, openChosenPresets} from './stored-presets.ts';

/** Deletes a preset; nothing is switched. */
export const deletePreset = async (given: Context, word: string, options: DryRunOption): Promise<void> => {
	const context = startLocalChange(given, options);
	const presets = await openChosenPresets(context);
	const {name} = await findStoredPreset(presets, word);
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
