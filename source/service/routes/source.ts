import type {Readable} from 'node:stream';
import {setImmediate} from 'node:timers/promises';
import type {FastifyInstance} from 'fastify';
import * as Type from 'typebox';
import {checkAbilityFiles, findTopFolder, type PackageLayout} from '../../interface/ability-package/check-files.ts';
import {readZip} from '../../interface/ability-package/read-zip.ts';
import {sourceVersionHeader} from '../../interface/endpoints.ts';
import {abilityLimits, formatBytes, quotePath} from '../../interface/ability-package/limits.ts';
import {streamZip, type PackageFile} from '../../interface/ability-package/write-zip.ts';
import {SwitchboardError, throwIfAny} from '../../interface/errors.ts';
import {packageName} from '../../interface/names.ts';
import {limitConcurrency} from '../../platform/turns.ts';
import {type Form, formText, readForm, formFile} from '../http/forms.ts';
import {addOperation, addVersions} from '../http/operation-routes.ts';
import {binaryText, releaseRecords, checkField, checkLength} from '../records.ts';
import type {Release, Releases, Source, Store} from '../store/store.ts';

/** The size of a read, and so the memory of a download that nobody reads. */
const pieceBytes = 256 * 1024;

const versionQuery = Type.Object({
	version: Type.Optional(Type.String({pattern: '^[1-9][0-9]{0,8}$', description: 'A version of the ability; by default the one in use'})),
});

const newCode = Type.Object(
	{
		zip_file: binaryText({description: `The files at its root; at most ${formatBytes(abilityLimits.zipBytes)}`}),
		committed: Type.Optional(
			Type.String({
				enum: ['true', 'false'],
				description: '`false`, the default, saves the code as a draft, which is not used, and which the next code replaces',
			}),
		),
		commit_message: Type.Optional(Type.String()),
	},
	{title: 'NewCode'},
);

const savedCode = Type.Object(
	{detail: Type.String(), capability_id: Type.Integer(), release_id: Type.Integer(), version: Type.String(), is_committed: Type.Boolean()},
	{title: 'SavedCode'},
);

export function addSourceOperations(app: FastifyInstance, store: Store): void {
	addOperation(app, 'getTemplateFile', () => ({
		query: versionQuery,
		answer: Type.Unsafe<Readable>({content: {'application/zip': {schema: binaryText({description: 'The files at its root'})}}}),
		async respond({caller, id, request, reply}) {
			const {version} = request.query as Type.Static<typeof versionQuery>;
			const source = await store.releases.readSource(caller.accountId, id, version === undefined ? undefined : Number(version));
			const {size, stream} = streamSource(store.releases, source);
			void reply.type('application/zip').header(sourceVersionHeader, String(source.version));
			void reply.header('content-length', size).header('content-disposition', `attachment; filename="${packageName(source.name)}.zip"`);
			return stream;
		},
	}));
	addOperation(app, 'listReleases', () => ({
		answer: releaseRecords,
		respond: async ({caller, id}) => store.releases.list(caller.accountId, id),
	}));
	addOperation(app, 'enableRelease', () => ({
		answer: savedCode,
		respond: async ({caller, id, reply}) => describeSaved(addVersions(reply, await store.releases.use(caller, id))),
	}));
	addOperation(app, 'releaseCode', () => ({
		body: {'multipart/form-data': newCode},
		answer: savedCode,
		async respond({caller, id, request, reply}) {
			const form = await readForm(request, {zip_file: abilityLimits.zipBytes});
			const code = {isCommitted: readIsCommitted(form), commitMessage: readCommitMessage(form), createdAt: new Date()};
			const {category} = await store.abilities.getByRelease(caller.accountId, id);
			const {release, leftOut} = await withPackage(form, {category, layout: 'root'}, async ({files, leftOut}) => ({
				release: addVersions(reply, await store.releases.save(caller, id, {...code, files})),
				leftOut,
			}));
			return describeSaved(release, sayLeftOut(leftOut));
		},
	}));
}

/**
Returns the files of a release as a zip, which is read from the store while it is sent. If the release is replaced meanwhile, the stream
fails, so that it never mixes the files of two saves.
*/
function streamSource(releases: Releases, {files, ...code}: Source) {
	async function* read(path: string, size: number) {
		for (let offset = 0; offset < size; offset += pieceBytes) {
			yield await releases.readBytes(code, path, offset, pieceBytes);
			// Other requests are answered between two pieces.
			await setImmediate();
		}
	}

	return streamZip(files.map(({path, size}) => ({path, size, read: () => read(path, size)})));
}

const describeSaved = (release: Release, more = ''): Type.Static<typeof savedCode> => ({
	detail: `${release.isCommitted ? `Version ${release.version} is in use` : `Version ${release.version} is saved as a draft`}.${more}`,
	capability_id: release.abilityId,
	release_id: release.id,
	version: String(release.version),
	is_committed: release.isCommitted,
});

function readIsCommitted(form: Form): boolean {
	const text = (formText(form, 'committed') ?? '').toLowerCase();
	checkField('committed', ['', 'true', 'false'].includes(text) ? undefined : 'must be true or false');
	return text === 'true';
}

function readCommitMessage(form: Form): string {
	const text = formText(form, 'commit_message') ?? '';
	checkLength('commit_message', text, 2000);
	return text;
}

/** Returns a sentence about the files of a package that were not stored, to follow another one; empty if all were stored. */
export function sayLeftOut(leftOut: readonly string[]): string {
	const [first, ...others] = leftOut.filter(path => !path.endsWith('/'));
	return first === undefined
		? ''
		: ` Left out, because no ability needs it: ${quotePath(first)}${others.length === 0 ? '' : ` and ${others.length} more`}.`;
}

/** A small zip can hold as much as a large one. */
const oneAtATime = limitConcurrency(1);

type Rules = {readonly category: string; readonly layout: PackageLayout};

type Package = {
	/** Their paths are relative to the ability's folder. */
	readonly files: readonly PackageFile[];
	/** The paths of junk, as they are in the zip. */
	readonly leftOut: readonly string[];
};

/**
Runs work on the files of the zip in a form, without junk. One package is unpacked at a time.

@throws SwitchboardError `refused` or `too-large`, naming the field, if the zip is missing or not an ability of the category.
*/
export async function withPackage<Result>(form: Form, rules: Rules, work: (content: Package) => Promise<Result>): Promise<Result> {
	return oneAtATime(async () => work(await readPackage(form, rules)));
}

async function readPackage(form: Form, rules: Rules): Promise<Package> {
	const zip = formFile(form, 'zip_file');
	if (zip === undefined) {
		throw new SwitchboardError('refused', 'The field zip_file is required.', {field: 'zip_file'});
	}

	const {files, leftOut} = await readZip(zip);
	throwIfAny(checkAbilityFiles(files, rules)[0]);

	const folder = rules.layout === 'folder' ? findTopFolder(files) : undefined;
	return {files: folder === undefined ? files : files.map(({path, bytes}) => ({path: path.slice(folder.length + 1), bytes})), leftOut};
}
