import {nameIdentity} from '../../interface/name-index.ts';
import type {Context} from '../context.ts';
import {warnOfSilentSkill} from '../source/upload-of.ts';
import type {Plan} from './prepare-plan.ts';
import {stepsOf} from './step-outcome.ts';

/** Warns of abilities that would be created and that nobody could start. */
export const warnOfSilentSkills = (context: Context, {steps, sources}: Plan): void => {
	const withPhrases = new Set(stepsOf(steps, 'phrases').filter(({phrases}) => phrases.length > 0).map(({name}) => nameIdentity(name)));
	for (const {entry} of stepsOf(steps, 'create')) {
		const {packed} = sources.get(entry)!;
		if (!withPhrases.has(nameIdentity(entry.name))) {
			warnOfSilentSkill(context, packed, 'Add “triggers” to it in the state file.');
		}
	}
};
