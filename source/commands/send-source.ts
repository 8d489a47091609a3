import {compareSource, releaseSource, type ReleaseAccess} from '../client/release-source.ts';
import {findingOf, type Finding} from '../changes/send-changes.ts';
import type {ResourceList} from '../client/client.ts';
import {toSwitchboardError, unknownOutcomeError} from '../interface/errors.ts';
import {draftOf, versionInUse} from '../interface/installed-lookup.ts';
import {rawName, type Ability} from '../interface/records.ts';
import type {StepOf, StepResult} from '../state/plan.ts';
import {limitRead, readAfterwards, releaseAdvice} from './check-changes.ts';
import type {Context} from './context.ts';
import type {Service} from './with-service.ts';

/*
Sending the code of abilities, and looking for it on the service. An upload may take as long as the connection needs, but it may not stall
for longer than a separate limit.
*/

/**
Uploads a new ability. If no answer comes, the list shows whether there is a new ability of that name.

@throws SwitchboardError with `isOutcomeUnknown` if it may still arrive.
*/
export async function sendUpload(context: Context, {client}: Service, step: StepOf<'create'>): Promise<StepResult> {
	const {packed, agentId, before} = step;
	const {name, image} = packed;
	const upload = {...packed, image: image && {fileName: image.name, type: image.type, bytes: image.bytes}, agentId};
	const onProgress = progressOf(context, name, 'Uploading', 'Uploaded');
	try {
		const {capabilityId, detail} = await context.waitFor(async () => client.uploadAbility(upload, {onProgress, signal: context.signal}));
		return {isChanged: true, id: capabilityId, detail};
	} catch (error_) {
		const error = toSwitchboardError(error_);
		if (!error.isOutcomeUnknown || !before?.isComplete) {
			throw error;
		}

		const after = await readAfterwards(context, async signal => client.list('abilities', signal));
		const arrived = after && newcomerIn(after, step);
		if (arrived !== undefined) {
			return {isChanged: true, id: arrived.id, detail: ''};
		}

		throw after?.isComplete
			? unknownOutcomeError(error, 'It is not in the list yet: it was sent and may still arrive.', error.nextStep)
			: error;
	}
}

const progressOf =
	({showProgress}: Context, name: string, doing: string, done: string) =>
	(fraction: number): void =>
		showProgress(fraction < 1 ? `${doing} ${name}: ${Math.floor(fraction * 100)} %` : `${done} ${name}; waiting for the answer …`);

/** Returns the releases of a service, for a command. */
export function releasesOf({readSignal: signal}: Context, {client}: Service): ReleaseAccess {
	return {client, signal, advice: releaseAdvice};
}

/** Releases new code of an ability, and shows its progress; throws as `releaseSource` of the client does. */
export async function sendRelease(context: Context, service: Service, step: StepOf<'release'>, releaseId: number): Promise<StepResult> {
	const {record: ability, packed, message, isDraft} = step;
	const onProgress = progressOf(context, ability.name, 'Sending', 'Sent');
	const version = await releaseSource(releasesOf(context, service), {
		ability,
		packed,
		message,
		isDraft,
		send: async code => context.waitFor(async () => service.client.releaseCode(releaseId, code, {onProgress, signal: context.signal})),
		readAfterwards: async read => readAfterwards(context, read),
	});
	return {isChanged: true, version};
}

/** Finds a new ability in a list. */
export function findCreated(step: StepOf<'create'>, list: ResourceList<Ability>, done: StepResult): Finding<never, StepResult> {
	const isThere = list.records.some(({id}) => id === done.id) || newcomerIn(list, step) !== undefined;
	return findingOf(isThere || (list.isComplete ? false : undefined), done);
}

/** Returns the ability with the name of an upload that was not in the list before it. */
function newcomerIn({records}: ResourceList<Ability>, {packed: {name}, before}: StepOf<'create'>): Ability | undefined {
	const known = new Set(before?.records.map(({id}) => id));
	return records.find(record => !known.has(record.id) && rawName(record) === name);
}

/** Finds new code: by the version in use or, on a service that keeps the number, by the source. */
export async function findReleased(
	context: Context,
	service: Service,
	{record: ability, packed}: StepOf<'release'>,
	seen: Ability,
	done: StepResult,
): Promise<Finding<never, StepResult>> {
	if (versionInUse(seen) !== versionInUse(ability)) {
		return {result: done};
	}

	const access = {...releasesOf(context, service), signal: limitRead(context)};
	const compared = await compareSource(access, ability, packed).catch(() => undefined);
	return compared && findingOf(compared.same, done);
}

/** Finds a draft: its ability has one, and still uses the version that it used before. The draft must not be released by mistake. */
export function findDrafted({record: ability, release}: StepOf<'release'>, seen: Ability, done: StepResult): Finding<never, StepResult> {
	const wasDraft = draftOf(ability)?.id === release?.id;
	const isReleased =
		versionInUse(seen) !== versionInUse(ability) ||
		(wasDraft && seen.versions.some(({id, isCommitted, isEnabled}) => id === release?.id && (isCommitted === true || isEnabled === true)));
	if (isReleased) {
		return {sentence: `${ability.name} uses version ${versionInUse(seen) ?? '?'} now: the draft was released.`};
	}

	const isShown = seen.versions.some(({isCommitted}) => isCommitted !== undefined);
	return findingOf(draftOf(seen) !== undefined || (isShown ? false : undefined), done);
}
