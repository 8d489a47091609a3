import process from 'node:process';
import {SwitchboardError} from '../../interface/errors.ts';
import {toPublicRecord, type Agent} from '../../interface/records.ts';
import {inTime} from '../../platform/timers.ts';
import {promptFileOf} from '../../settings/prompt-file.ts';
import {findEditor, runEditor, type Editor} from '../../terminal/external-editor.ts';
import {untilAborted} from '../command.ts';
import {isForPerson, isInteractive, printJsonOr, type Context} from '../context.ts';
import {wordFor} from '../find-records.ts';
import {targetWords, type Service} from '../with-service.ts';

/** An editor that does not end on a signal is abandoned after this time, because the shell is waiting. */
const endingMilliseconds = 2000;

const signalsByKind: Readonly<Partial<Record<SwitchboardError['kind'], NodeJS.Signals>>> = {hangup: 'SIGHUP', interrupted: 'SIGINT'};

/**
Returns the editor for a command without options.

@param nextStep - the options to use if no editor can be opened.
@throws SwitchboardError `usage` without a terminal or an editor, and over SSH, where the editor would run on the server.
*/
export function chooseEditor(context: Context, nextStep: string): Editor {
	if (context.session !== undefined) {
		throw new SwitchboardError('usage', 'No editor opens over SSH: it would run on the server.', {nextStep});
	}

	if (!isInteractive(context) || !isForPerson(context)) {
		throw new SwitchboardError('usage', 'Nothing to change.', {nextStep});
	}

	const editor = findEditor(context.env, process.platform);
	if (editor === undefined) {
		throw new SwitchboardError('usage', 'No editor is set.', {
			nextStep: `Set VISUAL or EDITOR to your editor, with its arguments.\n${nextStep}`,
		});
	}

	return editor;
}

/**
Lets the person edit the prompt of an agent in their editor, and sends the result. The text is in the file that the screens use for that
agent: it is kept unless it was sent, and the next edit, here or there, opens it again.

@param send - shows the change, asks and sends it.
@throws SwitchboardError `conflict` if another Switchboard has the text open; and the errors of the editor and of `send`, after a note about
the place of the text.
*/
export async function editInEditor(
	context: Context,
	{service: {draftAccount}, agent, editor}: {readonly service: Service; readonly agent: Agent; readonly editor: Editor},
	send: (prompt: string) => Promise<void>,
): Promise<void> {
	const {id, name} = agent;
	const {description} = agent.raw;
	const now = typeof description === 'string' ? description : undefined;
	const file = promptFileOf({account: draftAccount, agentId: id});
	const kept = file.unsaved(now ?? '');
	const noteKept = (): void =>
		context.note(
			`Your text is kept in ${file.shownPath()}. To go on with it: ${['switchboard agents edit', wordFor(agent), ...targetWords(context)].join(' ')}`,
		);

	const edit = async (): Promise<void> => {
		try {
			file.open(kept === undefined ? {text: now ?? '', prompt: now ?? ''} : undefined);
			await context.waitFor(async () => openEditor(context, editor, file.path()));
			const prompt = file.edited(now ?? '');
			if (prompt === (now ?? '')) {
				file.remove();
				await printJsonOr(context, toPublicRecord('agents', agent), () => context.print(`The prompt of ${name} is unchanged.`));
				return;
			}

			if (kept !== undefined && !file.isFrom(now ?? '') && context.isSure) {
				throw new SwitchboardError('conflict', `The prompt of ${name} was changed after this text was begun. Nothing was done.`, {
					nextStep: 'Run the command without --yes to see what would change.',
				});
			}

			await send(prompt);
			if (context.isDryRun) {
				noteKept();
			} else {
				file.remove();
			}
		} catch (error) {
			if (file.keepsText(now ?? '')) {
				noteKept();
			}

			throw error;
		} finally {
			file.unlock();
		}
	};

	if (!file.lock()) {
		throw new SwitchboardError('conflict', `The prompt of ${name} is being edited in another Switchboard. Nothing was done.`, {
			nextStep: 'Save it or leave it there first, or end that program.',
		});
	}

	if (kept !== undefined) {
		context.note(`The editor opens your text of before, which was not sent: ${file.shownPath()}. Save it empty to discard it.`);
	}

	// After a signal the command ends only once the person knows where the text is.
	await context.finishBeforeExit(edit());
}

/** Lets the person edit a file. A signal to this process ends the editor too. */
async function openEditor({signal}: Context, editor: Editor, file: string): Promise<void> {
	const ending = new AbortController();
	const editing = runEditor(editor, file, ending.signal);
	const end = async (): Promise<never> => {
		await untilAborted(signal);
		ending.abort(signalsByKind[(signal.reason as SwitchboardError).kind] ?? 'SIGTERM');
		await inTime(Promise.allSettled([editing]), endingMilliseconds);
		throw signal.reason as SwitchboardError;
	};

	await Promise.race([editing, end()]);
}
