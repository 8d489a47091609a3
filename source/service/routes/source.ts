import {type Readable} from 'node:stream';
import {type FastifyInstance} from 'fastify';
import {Type} from 'typebox';
import {abilityLimits, formatBytes} from '../../interface/ability-package/limits.ts';
import {type Form, formText, readForm} from '../http/forms.ts';
import {tellVersions} from '../http/list-versions.ts';
import {addOperation} from '../http/operation-routes.ts';
import {binaryText} from '../schema-parts.ts';
import {type Store} from '../store/store.ts';
import {checkField, checkLength} from './check-field.ts';
import {sayLeftOut, withPackage} from './read-package.ts';
import {streamSource} from './stream-source.ts';

const addSource = (app: FastifyInstance, store: Store): void => {
	addOperation(app, 'getTemplateFile', () => ({
		answer: Type.Unsafe<Readable>({content: {'application/zip': {schema: binaryText({description: 'The files at its root'})}}}),
		async respond({caller, id, reply}) {
			const source = await store.releases.readSource(caller.accountId, id);
			const {size, stream} = streamSource(store.releases, source);
			// The name consists of letters and digits only.
			void reply.type('application/zip').header('content-length', size).header('content-disposition', `attachment; filename="${source.name}.zip"`);
			return stream;
		},
	}));
};

const newCode = Type.Object({
	zip_file: binaryText({description: `The files at its root; at most ${formatBytes(abilityLimits.zipBytes)}`}),
	committed: Type.Optional(Type.String({enum: ['true', 'false'], description: '`false`, the default, saves the code as a draft, which the next code replaces'})),
	commit_message: Type.Optional(Type.String()),
}, {title: 'NewCode'});

const readIsCommitted = (form: Form): boolean => {
	const text = (formText(form, 'committed') ?? '').toLowerCase();
	checkField('committed', ['', 'true', 'false'].includes(text) ? undefined : 'must be true or false');
	return text === 'true';
};

const readCommitMessage = (form: Form): string => {
	const text = formText(form, 'commit_message') ?? '';
	checkLength('commit_message', text, 2000);
	return text;
};

const addReleaseCode = (app: FastifyInstance, store: Store): void => {
	addOperation(app, 'releaseCode', () => ({
		body: {'multipart/form-data': newCode},
		answer: Type.Object({
			detail: Type.String(),
			capability_id: Type.Integer(),
			release_id: Type.Integer(),
			version: Type.String(),
			is_committed: Type.Boolean(),
		}, {title: 'SavedCode'}),
		async respond({caller, id, request, reply}) {
			const form = await readForm(request, reply, {zip_file: abilityLimits.zipBytes});
			const code = {isCommitted: readIsCommitted(form), commitMessage: readCommitMessage(form), createdAt: new Date()};
			const {category} = await store.abilities.getByRelease(caller.accountId, id);
			const {release, leftOut} = await withPackage(form, {category, layout: 'root'}, async ({files, leftOut}) =>
				({release: tellVersions(reply, await store.releases.save(caller, id, {...code, files})), leftOut}));
			return {
				detail: `${release.isCommitted ? 'Version' : 'The draft of version'} ${release.version} is in use.${sayLeftOut(leftOut)}`,
				capability_id: release.abilityId,
				release_id: release.id,
				version: String(release.version),
				is_committed: release.isCommitted,
			};
		},
	}));
};

export const addSourceRoutes = (app: FastifyInstance, store: Store): void => {
	addSource(app, store);
	addReleaseCode(app, store);
};
