import {createReadStream} from 'node:fs';
import {withValues} from '../changes/fields.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {formatCount, counted} from '../interface/format-count.ts';
import {listNouns} from '../interface/lists.ts';
import type {Records, Resource} from '../interface/records.ts';
import {takeTurn} from '../platform/turns.ts';
import {shellWord} from '../platform/shell-word.ts';
import type {ExportedRecords} from '../state/export-state.ts';
import type {DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import type {FolderOptions} from './export-folder.ts';
import {refuseEmptyFolder} from './file-names.ts';
import {parsePast, pastMoments} from './options.ts';
import type {FilePlace} from './output/replace-file.ts';
import {readResourceList} from './find-records.ts';
import {timedLines} from './timed-switch.ts';
import {withService, type Service} from './with-service.ts';

/** Reads everything that a state can hold; fails unless the lists are complete. */
export async function readExported(context: Context, service: Service): Promise<ExportedRecords> {
	return {
		installed: await readWhole(context, service, 'installed'),
		abilities: await readWhole(context, service, 'abilities'),
		agents: await readWhole(context, service, 'agents'),
	};
}

/** Returns a list that must be complete, because `apply --prune` switches off abilities that a state leaves out. */
async function readWhole<R extends Resource>(context: Context, service: Service, resource: R): Promise<ReadonlyArray<Records[R]>> {
	const {records, isComplete} = await readResourceList(context, service, resource);
	if (!isComplete) {
		throw new SwitchboardError('refused', `The list of ${listNouns[resource]} is incomplete, so the state would be too.`);
	}

	return records;
}

export const defineExport: DefineCommand = (parent, run) =>
	parent
		.command('export')
		.description('print the state of the account as YAML, for plan and apply')
		.argument('[file]', 'write it to this file, as JSON if it ends in .json or with --json, which prints it too (default: standard output)')
		.option(
			'--into <folder>',
			'write home.yaml and a file for each prompt to this folder; run again, it replaces only files that nobody changed',
		)
		.option('--sources', 'with --into: also write the source of each ability')
		.option('--hidden', 'with --sources: also write files whose names begin with a dot; keys and virtual environments stay out')
		.option(
			'--force',
			'replace a file with comments, “abilities:” or something else that would be lost; with --into, also files that somebody changed',
		)
		.option('--dry-run', 'with --into: print what would be written, and write nothing')
		.option('--at <time>', `the state as it was then, as far as the history has it: ${pastMoments}`, parsePast('--at'))
		.examples(
			['switchboard export', 'print it'],
			['switchboard export home.yaml', 'write it to a file, to keep in git'],
			['switchboard export | diff home.yaml -', 'compare a file with the service'],
			['switchboard export --json', 'the state as JSON'],
			["switchboard export monday.yaml --at 'yesterday 18:00'", 'the state of that evening'],
			['switchboard export --into home --sources', 'all of it, as a folder for git'],
		)
		.action(run(exportState, {isLocal: true}));

type ExportOptions = FolderOptions & {readonly into?: string; readonly at?: Date};

async function exportState(context: Context, given: string | undefined, {into, ...options}: ExportOptions): Promise<void> {
	if (options.hidden === true && options.sources !== true) {
		throw new SwitchboardError('usage', '--hidden needs --into FOLDER --sources.');
	}

	const {at} = options;
	if (at !== undefined && into !== undefined) {
		throw new SwitchboardError('usage', '--at and --into cannot be used together.', {
			nextStep: 'Write one file: switchboard export FILE --at TIME',
		});
	}

	if (into !== undefined) {
		return exportInto(context, given, {...options, into});
	}

	if (options.sources === true || context.isDryRun) {
		throw new SwitchboardError('usage', `${options.sources === true ? '--sources' : '--dry-run'} needs --into FOLDER.`);
	}

	// Means standard output, as elsewhere.
	const file = given === '-' ? undefined : given;
	const {isJson} = context.options;
	const isJsonText = isJson || file?.toLowerCase().endsWith('.json') === true;
	const place = file === undefined ? undefined : await findDestination(file, isJsonText, options);
	const {exportState: toState, refuseSharedNames, stateText, withoutShared} = await import('../state/export-state.ts');
	const records = await withService(context, async service => {
		const readPresent = async () => readExported(context, service);
		return at === undefined
			? afterTimers(context, await readPresent())
			: (await import('./history/board.ts')).recordsAt(context, service, at, readPresent);
	});
	await takeTurn();
	const state = toState(records);
	for (const note of state.notes) {
		context.note(note);
	}

	await takeTurn();
	const text = stateText(state, isJsonText ? 'json' : 'yaml');
	if (place !== undefined) {
		const {replaceFile} = await import('./output/replace-file.ts');
		await context.finishBeforeExit(replaceFile(place, place.firstLine === '' ? text : `${place.firstLine}\n${text}`));
		context.note(
			`Wrote ${place.name}: ${formatCount(withoutShared(records.installed).length)} installed, ${counted(withoutShared(records.agents).length, 'agent')}.`,
		);
	}

	if (isJson) {
		await context.printJson(state.value);
	} else if (file === undefined) {
		context.printData(text);
	}

	refuseSharedNames(state);
}

async function exportInto(
	context: Context,
	file: string | undefined,
	{into, ...options}: ExportOptions & {readonly into: string},
): Promise<void> {
	if (file !== undefined) {
		throw new SwitchboardError('usage', 'A file and --into cannot be used together.', {
			nextStep: 'Leave out the file: --into writes home.yaml in the folder.',
		});
	}

	refuseEmptyFolder(into);
	const {exportIntoFolder} = await import('./export-folder.ts');
	await withService(context, async service =>
		exportIntoFolder(context, service, afterTimers(context, await readExported(context, service)), into, options),
	);
}

/** Returns the records as they are once their timers are done, and notes which ones have any. */
function afterTimers(context: Context, {installed, ...others}: ExportedRecords): ExportedRecords {
	const timed = installed.filter(({timer}) => timer !== undefined && timer.overdue === undefined);
	if (timed.length > 0) {
		context.note(`Exported as their timers will leave them: ${timedLines(context, timed).join('; ')}.`);
	}

	const isTimed = new Set(timed);
	return {
		...others,
		installed: installed.map(record => (isTimed.has(record) ? withValues('installed', record, {enabled: record.timer!.enabled}) : record)),
	};
}

type Destination = FilePlace & {
	/** Kept from the file that is replaced. */
	readonly firstLine: string;
};

/** Returns the place to write to, before the first request to the service. */
async function findDestination(file: string, isJson: boolean, {force = false}: ExportOptions): Promise<Destination> {
	const [{findFilePlace}, {languageServerLine, lostByExport, noState}] = await Promise.all([
		import('./output/replace-file.ts'),
		import('../state/export-state.ts'),
	]);
	const place = await findFilePlace(file);
	const before = await readBefore(place);
	const firstLine = isJson || before === undefined ? '' : languageServerLine(before);
	// An unreadable file may be a state file.
	const loss = before === undefined ? noState : await lostByExport(before.slice(firstLine.length));
	if (loss !== undefined && !force) {
		const hint = loss === noState ? '' : ` Compare it with: switchboard export | diff ${shellWord(file)} -`;
		throw new SwitchboardError('conflict', `“${place.name}” contains ${loss}, which would be lost. Nothing was done.`, {
			nextStep: `Use another file, or --force to replace it.${hint}`,
		});
	}

	return {...place, firstLine};
}

/** Empty if the file does not exist; `undefined` if it cannot be read. */
async function readBefore({path, mode}: FilePlace): Promise<string | undefined> {
	const {readBoundedText} = await import('../state/bounded-text.ts');
	return mode === undefined ? '' : readBoundedText(createReadStream(path), path).catch(() => undefined);
}
