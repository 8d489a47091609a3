import {readdirSync, renameSync} from 'node:fs';
import path from 'node:path';
import {type UiServices} from '../../app-context.ts';
import {keyName} from '../../keys/hints.ts';
import {promptFileEnd, promptFolderOf} from '../../../settings/prompt-drafts.ts';
import {promptFileOf} from './prompt-file.ts';
import {isBeingEdited} from './prompt-origin.ts';
import {unsavedText} from './prompt-text.ts';

type KeptPromptsOptions = {
	/** Which service and account the agents belong to. */
	readonly account: string;
	readonly configFolder?: string | undefined;
};

const filesOf = ({account, configFolder}: KeptPromptsOptions): readonly string[] => {
	try {
		return readdirSync(promptFolderOf(configFolder)).filter(name => name.endsWith(promptFileEnd(account)));
	} catch {
		// No prompt was ever edited.
		return [];
	}
};

/** The names of the agents whose prompts have an unsaved text. */
const keptFor = (options: KeptPromptsOptions): readonly string[] => filesOf(options).flatMap(name => {
	const id = /^agent-(?<id>\d+)-/.exec(name)?.groups?.['id'];
	if (id === undefined) {
		return [];
	}

	const file = promptFileOf({...options, agentId: Number(id)});
	const origin = file.origin();
	if (origin !== undefined && isBeingEdited(origin)) {
		return [];
	}

	try {
		return file.hasRecovery() || unsavedText(file, origin?.prompt ?? '') !== undefined ? [origin?.agentName ?? `#${id}`] : [];
	} catch {
		return [];
	}
});

/** Says which prompts have an unsaved text, and which key edits it, or why none does; `undefined` if none has. */
export const keptPromptsText = (options: KeptPromptsOptions, {keymap, isReadOnly}: Pick<UiServices, 'keymap' | 'isReadOnly'>): string | undefined => {
	const names = keptFor(options);
	const last = names.at(-1);
	if (last === undefined) {
		return undefined;
	}

	const [kept, it] = names.length === 1
		? [`Your unsaved text for the prompt of ${last} is kept.`, 'it']
		: [`Your unsaved texts for the prompts of ${names.slice(0, -1).join(', ')} and ${last} are kept.`, 'one of them'];
	return isReadOnly
		? `${kept} You can go on with ${it} once you may make changes.`
		: `${kept} On Agents, ${keyName(keymap, 'edit-prompt')} edits ${it} again.`;
};

/** Keeps the texts with an account that is renamed. */
export const renameKeptPrompts = (from: KeptPromptsOptions, account: string): void => {
	const folder = promptFolderOf(from.configFolder);
	const oldEnd = promptFileEnd(from.account);
	for (const name of filesOf(from)) {
		const newName = name.slice(0, -oldEnd.length) + promptFileEnd(account);
		for (const suffix of ['', '.json']) {
			try {
				renameSync(path.join(folder, name + suffix), path.join(folder, newName + suffix));
			} catch {
				// A text without its origin is still a text.
			}
		}
	}
};
