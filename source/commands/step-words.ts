import type {ReleaseAdvice} from '../client/release-source.ts';
import {stateWord} from '../interface/installed-lookup.ts';
import {cleanName, type Resource} from '../interface/records.ts';
import {shellWord} from '../platform/shell-word.ts';
import {isSwitch, type Step} from '../state/plan.ts';
import {wordFor} from './find-records.ts';

/** Returns the list that shows a change. */
export function listOf(step: Step): Resource {
	return step.kind === 'set' ? step.resource : step.kind === 'install' || step.kind === 'uninstall' ? 'installed' : 'abilities';
}

export const verbs = {create: 'created', install: 'installed', uninstall: 'uninstalled', delete: 'deleted'} as const;

/**
Returns the words about a step's record: that the change has not arrived, and that it has. The second is left out for code, which is looked
up when it is sent.
*/
export function wordsOf(step: Step, isPlan = false): readonly [notYet: string, arrived: string] {
	const [notYet, arrived] =
		step.kind === 'create'
			? ['is not in the list of abilities', '']
			: step.kind === 'release'
				? [step.isDraft ? 'has no draft' : 'does not have the new code', '']
				: step.kind === 'reuse'
					? [`does not use version ${step.version}`, `uses version ${step.version}`]
					: isPlan
						? ['has not changed', 'has changed']
						: step.kind !== 'set'
							? [`is not ${verbs[step.kind]}`, `is ${verbs[step.kind]}`]
							: isSwitch(step)
								? [`is not ${stateWord(step.values.enabled)}`, `is ${stateWord(step.values.enabled)} now`]
								: ['has not changed', 'was changed'];
	const name = cleanName(step.name);
	return [`${name} ${notYet}`, `${name} ${arrived}`];
}

/** The next steps about releases, in the words of commands. */
export const releaseAdvice: ReleaseAdvice = {
	replaceElsewhere: 'Replace it in the dashboard.',
	install: ability => `Install it first: switchboard install ${wordFor(ability)}`,
	check: ability => `Check with: switchboard abilities diff ${wordFor(ability)} FOLDER`,
};

/** Returns the next step if the outcome of a change is not known, or if it had no effect. */
export function nextStepOf(step: Step): string {
	return (
		step.advice ??
		(step.kind !== 'release'
			? `Check with: switchboard ${listOf(step)}`
			: step.isDraft
				? `Look at its versions: switchboard abilities versions ${shellWord(cleanName(step.name))}`
				: releaseAdvice.check(step.record))
	);
}
