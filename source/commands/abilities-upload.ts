import {readTieFile, tieDefaults, tieOf} from '../bundle/folder-tie.ts';
import type {CodeFinding} from '../bundle/check-code.ts';
import type {PackedAbility} from '../bundle/pack-ability.ts';
import {quotePath} from '../interface/ability-package/limits.ts';
import type {ResourceList} from '../client/client.ts';
import {isNameTaken} from '../client/abilities.ts';
import {toSwitchboardError} from '../interface/errors.ts';
import {cleanName, rawName, type Ability} from '../interface/records.ts';
import {shellWord} from '../platform/shell-word.ts';
import {findNearNamesakes, listCandidates} from '../interface/name-index.ts';
import type {Category} from '../interface/categories.ts';
import {splitTriggerPhrases} from '../interface/names.ts';
import type {Context} from './context.ts';
import {sendStep} from './change-items.ts';
import {withService, type Service} from './with-service.ts';
import {readAndFind} from './find-records.ts';
import {confirmOnTerminal} from './input/confirm.ts';
import {createdAbility, describeTie, keepTie} from './keep-tie.ts';
import {readTextOption} from './input/read-text.ts';
import {printResult} from './output/table.ts';
import type {StepResult} from '../state/plan.ts';

/**
Notes the values of a new ability that are sent in another spelling, and advice on its name; warns if nobody could start it.

@param advice - the way to give it trigger phrases; left out if it has some.
*/
export function noteDraft({note}: Context, {name, category, triggerPhrases, notes}: PackedAbility, advice: string | undefined): void {
	for (const text of notes) {
		note(text);
	}

	if (advice !== undefined && category === 'skill' && triggerPhrases.length === 0) {
		note(`Warning: ${name} is a skill without trigger phrases, so nothing starts it. ${advice}`);
	}
}

export type MetadataOptions = {
	readonly description?: string;
	readonly category?: Category;
	readonly triggers?: string;
	readonly image?: string;
};

/** Reads the metadata. Waiting for standard input does not count towards the time limit. */
export async function readMetadata(context: Context, {description, category, triggers, image}: MetadataOptions) {
	return {
		description: await context.waitFor(async () => readTextOption(context, description, "--description ''")),
		category,
		triggerPhrases: triggers === undefined ? undefined : splitTriggerPhrases(triggers),
		imagePath: image,
	};
}

type UploadOptions = MetadataOptions & {readonly name?: string; readonly agent?: string};

export async function uploadAbility(context: Context, path: string, options: UploadOptions): Promise<void> {
	const packed = await pack(context, path, options);
	if (packed.leftOut.length > 0) {
		context.note(`Skipped: ${packed.leftOut.join(', ')}`);
	}

	noteDraft(context, packed, 'Add some with --triggers.');
	const stepIfTaken = `To release a new version of it: switchboard abilities push ${shellWord(path)} --ability ${shellWord(packed.name)}`;
	const findings = context.isDryRun ? await noteFindings(context, path, packed) : undefined;
	const result = await withService(context, async service => {
		const agent = options.agent === undefined ? undefined : await readAndFind(context, service, options.agent, {resource: 'agents'});
		const before = context.isDryRun ? undefined : await readBeforeAndAsk(context, service, path, packed);
		const {name} = packed;
		const notes = {
			ifDone: `${name} was uploaded.`,
			ifUnknown: `It is not known whether ${name} has arrived: check the list before you upload it again.`,
			ifNotSent: `${name} was not uploaded.`,
		};
		const step = {kind: 'create', name, packed, agentId: agent?.id, before, changes: []} as const;
		const sent = await sendStep(context, service, step, notes, {isBelieved: true}).catch((error_: unknown) => {
			const error = toSwitchboardError(error_);
			throw isNameTaken(error, name, before?.records) ? error.with({nextStep: stepIfTaken}) : error;
		});
		const ability = createdAbility(sent.id, packed);
		if (ability !== undefined) {
			await keepTie(context, service, path, ability);
		}

		return sent;
	});
	await report(context, packed, result, findings);
}

async function pack(context: Context, path: string, {name, ...options}: UploadOptions): Promise<PackedAbility> {
	// Loaded only for this command: it needs the zip library.
	const {aboutPath, packAbility} = await import('../bundle/pack-ability.ts');
	const overrides = {...(await readMetadata(context, options)), name, defaults: tieDefaults(await readTieFile(path))};
	try {
		return await packAbility(path, overrides);
	} catch (error_) {
		const error = toSwitchboardError(error_);
		throw error.field === 'zip_file' ? aboutPath(error, path) : error;
	}
}

/** Checks the code of a dry run's upload. Findings do not refuse the upload, because the service decides. */
async function noteFindings({note}: Context, path: string, {contents}: PackedAbility): Promise<readonly CodeFinding[]> {
	const [{checkCode}, {findingLine}] = await Promise.all([import('../bundle/check-code.ts'), import('./abilities-check.ts')]);
	const findings = checkCode(contents);
	for (const finding of findings) {
		note(findingLine(path, finding));
	}

	return findings;
}

/** Reads the existing abilities, and asks whether a new one is meant if it may repeat one of them; in a pipe, it only warns. */
async function readBeforeAndAsk(context: Context, service: Service, path: string, packed: PackedAbility) {
	const before = await readBefore(context, service);
	const twins = await describeTwins(context, service, path, packed, before?.records ?? []);
	if (twins === undefined) {
		return before;
	}

	if (await confirmOnTerminal(context, `${twins} Create ${cleanName(packed.name)} as well?`, 'Nothing was uploaded.')) {
		return readBefore(context, service);
	}

	context.note(twins);
	return before;
}

/** Returns the abilities before the upload: a new ability is found by comparing. */
async function readBefore({readSignal, showProgress}: Context, {client}: Service): Promise<ResourceList<Ability> | undefined> {
	showProgress('Reading the list of abilities …');
	try {
		return await client.list('abilities', readSignal);
	} catch (error_) {
		const error = toSwitchboardError(error_);
		if (error.status === undefined) {
			throw error;
		}

		// A service that refuses the list may still accept the upload.
		return undefined;
	}
}

/**
Names the abilities that an upload may repeat: those with nearly its name, and the ability that its folder belongs to. No other ability can
have its exact name.
*/
async function describeTwins(
	context: Context,
	{address}: Service,
	path: string,
	{name}: PackedAbility,
	abilities: readonly Ability[],
): Promise<string | undefined> {
	if (abilities.some(ability => rawName(ability) === name)) {
		return undefined;
	}

	const tie = tieOf(await readTieFile(path), address, context.env);
	const tied = tie?.isHere === true ? abilities.find(({id}) => id === tie.id) : undefined;
	if (tied !== undefined) {
		return `${quotePath(path)} belongs to ${describeTie(tied)}.`;
	}

	const near = findNearNamesakes(abilities, name);
	return near.length === 0 ? undefined : `There is an ability with nearly the same name: ${listCandidates(near)}.`;
}

const report = async (
	context: Context,
	{name, sizeBytes}: PackedAbility,
	{id, detail = ''}: StepResult,
	findings: readonly CodeFinding[] | undefined,
): Promise<void> =>
	printResult(context, {
		json: {capability_id: id ?? null, name, detail, ...(findings && {findings})},
		sentence:
			`${context.isDryRun ? 'Would upload' : 'Uploaded'} ${name}${id === undefined ? '' : `, id ${id}`} (${sizeBytes} bytes). ${detail}`.trim(),
		fields: [id ?? '', name, detail],
	});
