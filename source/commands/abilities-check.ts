import path from 'node:path';
import {checkCode, type CodeFinding} from '../bundle/check-code.ts';
import {aboutPath, checkSource} from '../bundle/pack-ability.ts';
import {readSource} from '../bundle/read-source.ts';
import {quotePath} from '../interface/ability-package/limits.ts';
import {cleanText} from '../interface/clean-text.ts';
import {errorText, SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {counted} from '../interface/format-count.ts';
import {isForPerson, printJsonOr, toPublicError, type Context} from './context.ts';
import {refuseEmptyFolder} from './file-names.ts';

/** Returns a finding as compilers print it, such as `lamp/main.py:3: error: …`. */
export function findingLine(folder: string, {severity, file, line, message}: CodeFinding): string {
	return `${cleanText(path.join(folder, file ?? ''), 500)}${line === null ? '' : `:${line}`}: ${severity}: ${message}`;
}

type Checked = {
	readonly folder: string;
	readonly findings: readonly CodeFinding[];
	/** The problem, or the reason why the folder could not be checked. */
	readonly error: SwitchboardError | undefined;
	readonly isRead: boolean;
};

/** Checks folders without running or sending anything. */
export async function checkAbilities(context: Context, folders: readonly string[]): Promise<void> {
	const checked: Checked[] = [];
	for (const folder of folders) {
		refuseEmptyFolder(folder, '');
		context.showProgress(`Checking ${cleanText(folder, 100)} …`);
		checked.push(await checkFolder(folder));
	}

	await printJsonOr(
		context,
		checked.map(({folder, findings, error, isRead}) => ({
			folder,
			ok: error === undefined,
			findings,
			...(!isRead && error !== undefined && {error: toPublicError(error)}),
		})),
		() => printFindings(context, checked),
	);
	const failed = checked.flatMap(({error}) => error ?? []);
	if (checked.length > 1) {
		for (const error of failed) {
			context.note(errorText(error), 'error');
		}
	}

	if (failed[0] !== undefined) {
		throw checked.length === 1 ? failed[0] : new SwitchboardError('some-failed', `${failed.length} of ${checked.length} folders failed.`);
	}
}

async function checkFolder(folder: string): Promise<Checked> {
	try {
		const source = await readSource(folder);
		// The name and the phrases are given with the upload, so they are not checked.
		const layout = checkSource(source, {name: source.baseName, triggerPhrases: []})
			.problems.filter(({field}) => field === 'zip_file')
			.map((problem): CodeFinding => ({severity: 'error', rule: 'layout', file: null, line: null, message: errorText(problem)}));
		const findings = [...layout, ...checkCode(source.files)];
		const errorCount = findings.filter(({severity}) => severity === 'error').length;
		const message = `${quotePath(folder)} has ${counted(errorCount, 'error')}: the service is known to refuse such an ability.`;
		return {folder, findings, isRead: true, error: errorCount === 0 ? undefined : new SwitchboardError('refused', message)};
	} catch (error) {
		return {folder, findings: [], isRead: false, error: aboutPath(toSwitchboardError(error), folder)};
	}
}

function printFindings(context: Context, checked: readonly Checked[]): void {
	for (const {folder, findings} of checked) {
		for (const finding of findings) {
			const {severity, rule, file, line, message} = finding;
			context.print(
				isForPerson(context)
					? findingLine(folder, finding)
					: [cleanText(folder), cleanText(file ?? ''), line ?? '', severity, rule, message.replaceAll('\n', ' ')].join('\t'),
			);
		}
	}

	const warningCount = checked.flatMap(({findings}) => findings).filter(({severity}) => severity === 'warning').length;
	if (checked.every(({error}) => error === undefined)) {
		context.note(`Found nothing that the service is known to refuse${warningCount === 0 ? '' : `; ${counted(warningCount, 'warning')}`}.`);
	}
}
