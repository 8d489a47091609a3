import {SwitchboardError} from '../interface/errors.ts';
import {nameIdentity} from '../interface/name-index.ts';
import type {Agent} from '../interface/records.ts';
import type {PromptJournal} from '../settings/prompt-journal.ts';
import type {Step} from '../state/plan.ts';
import {isInteractive, type Context} from './context.ts';
import {findRecord} from './find-records.ts';
import {cancelled, confirm} from './input/confirm.ts';
import {noteDiff} from './output/print-diff.ts';
import {targetWords, wordFor} from './presets/way-back.ts';
import {readList} from './read-list.ts';
import {isSameText} from './send-edit.ts';
import {asTypedOverSsh} from './ssh/ssh-words.ts';
import {stepsOf} from './state/step-outcome.ts';
import type {Service} from './with-service.ts';

/**
Refuses an empty prompt, which is mostly a slip, such as a variable that is not set.

@throws SwitchboardError `usage`, unless `--yes` was given or it is a dry run.
*/
export const refuseEmptyPrompt = ({isSure, isDryRun}: Context, name: string, prompt: string | undefined): void => {
	if (prompt?.trim() === '' && !isSure && !isDryRun) {
		throw new SwitchboardError('usage', `The new prompt of ${name} is empty. Nothing was done.`, {nextStep: 'Use --yes to empty it all the same.'});
	}
};

const textOf = ({raw: {description}}: Agent): string | undefined => typeof description === 'string' ? description : undefined;

const showDifference = async (context: Context, {name}: Agent, before: string, prompt: string): Promise<void> => {
	// Other commands need no library that compares texts.
	const {textDiff} = await import('./output/unified-diff.ts');
	// Where the new text has no such line ends, a form has made those of the old one.
	const shownBefore = prompt.includes('\r') ? before : before.replaceAll('\r\n', '\n');
	noteDiff(context, `The prompt of ${name} would change:`, textDiff([`a/${name}`, `b/${name}`], shownBefore, prompt));
};

/** Shows what the steps of a plan change in prompts, on standard error, which must be a terminal. */
export const showPromptDifferences = async (context: Context, steps: readonly Step[]): Promise<void> => {
	for (const {agent, edit: {prompt}} of stepsOf(steps, 'agent')) {
		const before = textOf(agent);
		if (prompt !== undefined && before !== undefined) {
			await showDifference(context, agent, before, prompt);
		}
	}
};

/**
On a terminal, shows what a new prompt changes, and asks unless it is a dry run or `--yes` was given. A person may take long, so the agent is then
read again.

@param isInputTaken - true if standard input had the prompt: nothing can be asked then.
@returns the agent as it is now.
@throws SwitchboardError `cancelled` if the answer is no, `conflict` if the prompt is no longer the one that was shown.
*/
export const confirmPrompt = async (context: Context, service: Service, agent: Agent, prompt: string, isInputTaken: boolean): Promise<Agent> => {
	const before = textOf(agent);
	if (context.isSure || !isInteractive(context) || (before !== undefined && isSameText(before, prompt))) {
		return agent;
	}

	if (before !== undefined) {
		await showDifference(context, agent, before, prompt);
	}

	if (context.isDryRun || isInputTaken) {
		return agent;
	}

	if (!await confirm(context, `Replace the prompt of ${agent.name}?${before === undefined ? ' The service does not show it.' : ''}`)) {
		throw cancelled('Nothing was changed.');
	}

	const now = findRecord(await readList(context, service, 'agents'), String(agent.id), {resource: 'agents'});
	if (textOf(now) !== before) {
		throw new SwitchboardError('conflict', `The prompt of ${now.name} was changed in the meantime. Nothing was done.`, {nextStep: 'Run the command again to see it anew.'});
	}

	return now;
};

const isNewest = (journal: PromptJournal, agentId: number, text: string): boolean => {
	try {
		return journal.list().find(kept => kept.agentId === agentId)?.text === text;
	} catch {
		// It was said before that nothing could be kept.
		return false;
	}
};

/** Says how to bring back a prompt that was replaced, if it is kept. */
export const noteKeptPrompt = (context: Context, {journal}: Service, before: Agent, after: Agent, agents: readonly Agent[]): void => {
	const text = textOf(before);
	if (text === undefined || text === textOf(after) || !isNewest(journal, before.id, text)) {
		return;
	}

	const isNameShared = agents.some(({id, name}) => id !== after.id && nameIdentity(name) === nameIdentity(after.name));
	const line = ['switchboard agents restore', isNameShared ? String(after.id) : wordFor(after), ...targetWords(context)].join(' ');
	context.note(`The text before is kept. To bring it back: ${context.session === undefined ? line : asTypedOverSsh(line)}`);
};
