import {type Buffer} from 'node:buffer';
import {type FastifyInstance} from 'fastify';
import {Type} from 'typebox';
import {abilityLimits, formatBytes} from '../../interface/ability-package/limits.ts';
import {writeZip} from '../../interface/ability-package/write-zip.ts';
import {refuse} from '../../interface/names.ts';
import {type Form, formText, readForm} from '../http/forms.ts';
import {addOperation} from '../http/operation-routes.ts';
import {binaryText} from '../schema-parts.ts';
import {findAbility} from '../store/sqlite/abilities.ts';
import {
	findAbilityOfRelease,
	findCurrentRelease,
	readReleaseFiles,
	saveCode,
} from '../store/sqlite/releases.ts';
import {type Database} from '../store/sqlite/store.ts';
import {orNotFound} from './not-found.ts';
import {readPackage} from './read-package.ts';

const addSource = (app: FastifyInstance, database: Database): void => {
	addOperation(app, 'getTemplateFile', () => ({
		answer: Type.Unsafe<Buffer>({content: {'application/zip': {schema: binaryText({description: 'The files at its root'})}}}),
		async respond({caller, id, reply}) {
			const ability = orNotFound(await findAbility(database, caller.accountId, id), 'ability', id);
			const release = await findCurrentRelease(database, id);
			const files = await readReleaseFiles(database, release.id);
			// The name has letters and digits only.
			void reply.type('application/zip').header('content-disposition', `attachment; filename="${ability.name}.zip"`);
			return writeZip(files);
		},
	}));
};

const newCode = Type.Object({
	zip_file: binaryText({description: `The files at its root; at most ${formatBytes(abilityLimits.zipBytes)}`}),
	committed: Type.Optional(Type.String({enum: ['true', 'false'], description: 'False, or not there, keeps the code as a draft that the next one replaces'})),
	commit_message: Type.Optional(Type.String()),
}, {title: 'NewCode'});

const maximumMessage = 2000;

const readIsCommitted = (form: Form): boolean => {
	const text = (formText(form, 'committed') ?? '').toLowerCase();
	refuse('committed', 'The field committed', ['', 'true', 'false'].includes(text) ? undefined : 'must be true or false');
	return text === 'true';
};

const readCommitMessage = (form: Form): string => {
	const text = formText(form, 'commit_message') ?? '';
	refuse('commit_message', 'The field commit_message', text.length > maximumMessage ? `may be at most ${maximumMessage} characters long` : undefined);
	return text;
};

const addReleaseCode = (app: FastifyInstance, database: Database): void => {
	addOperation(app, 'releaseCode', () => ({
		body: {'multipart/form-data': newCode},
		answer: Type.Object({
			detail: Type.String(),
			capability_id: Type.Integer(),
			release_id: Type.Integer(),
			version: Type.String(),
			is_committed: Type.Boolean(),
		}, {title: 'SavedCode'}),
		async respond({caller: {accountId}, id, request}) {
			const form = await readForm(request, {zip_file: abilityLimits.zipBytes});
			const code = {isCommitted: readIsCommitted(form), commitMessage: readCommitMessage(form), createdAt: new Date()};
			const findRelease = async (within: Database) => orNotFound(await findAbilityOfRelease(within, accountId, id), 'release', id);
			const {category} = orNotFound(await findAbility(database, accountId, await findRelease(database)), 'ability', id);
			const files = await readPackage(form, {category, layout: 'root'});
			const release = await database.transaction().execute(async transaction =>
				// It may have been deleted while the zip was read.
				saveCode(transaction, await findRelease(transaction), {...code, files}));
			return {
				detail: release.isCommitted ? `Version ${release.version} is in use.` : `The draft of version ${release.version} is in use.`,
				capability_id: release.ability_id,
				release_id: release.id,
				version: String(release.version),
				is_committed: release.isCommitted,
			};
		},
	}));
};

export const addSourceRoutes = (app: FastifyInstance, database: Database): void => {
	addSource(app, database);
	addReleaseCode(app, database);
};
