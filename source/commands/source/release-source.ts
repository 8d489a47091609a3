import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import type {PackageFile} from '../../interface/ability-package/write-zip.ts';
import type {Ability} from '../../interface/records.ts';
import {shellWord} from '../../settings/sign-in-hint.ts';
import type {Context} from '../context.ts';
import {readAfterwards, unknownOutcomeError} from '../unknown-outcome.ts';
import type {Service} from '../with-service.ts';
import {compareSource} from './compare-source.ts';
import {uploadInstead, type FoundRelease} from './find-release.ts';

type NewSource = {
	readonly ability: Ability;
	/** From `findRelease`. */
	readonly release: FoundRelease;
	readonly packed: {readonly contents: readonly PackageFile[]};
	readonly message: string;
};

/** Looks whether new code whose answer was lost has arrived; throws if that is not certain. */
const lookUp = async (context: Context, service: Service, {ability, packed}: NewSource, error: SwitchboardError): Promise<void> => {
	const {name} = ability;
	const found = await readAfterwards(context, async readSignal => compareSource({readSignal}, service, ability, packed));
	if (found?.same === true) {
		return;
	}

	const seen = found === undefined
		? `It is not known whether ${name} has the new code: it was sent and may still arrive.`
		: `${name} does not have the new code yet: it was sent and may still arrive.`;
	throw unknownOutcomeError(error, seen, `Check with: switchboard abilities diff ${shellWord(name)} FOLDER`);
};

/**
Releases new code of an ability, which keeps its state. If no answer comes, its source on the service says whether the code has
arrived.

@returns the version, `undefined` if the service did not say.
@throws SwitchboardError with `isOutcomeUnknown` if the code may still arrive; `not-found` if the service takes no code.
*/
export const releaseSource = async (context: Context, service: Service, source: NewSource): Promise<{readonly version: string | undefined}> => {
	const {ability: {name}, release, packed, message} = source;
	// Other commands need no zip library.
	const {writeZip} = await import('../../interface/ability-package/write-zip.ts');
	const zip = await writeZip(packed.contents);
	const onProgress = (fraction: number): void => {
		context.showProgress(fraction < 1 ? `Sending ${name}: ${Math.floor(fraction * 100)} %` : `Sent ${name}; waiting for the answer …`);
	};

	try {
		// It may take as long as the line needs; it has a limit of its own for standing still.
		const {version} = await context.waitFor(async () =>
			service.client.releaseCode(release.id, {zip, isCommitted: true, message}, {onProgress, signal: context.signal}));
		return {version: version === '' ? undefined : version};
	} catch (error_) {
		const error = toSwitchboardError(error_);
		if (error.isOutcomeUnknown) {
			await lookUp(context, service, source, error);
			return {version: undefined};
		}

		const {kind, status} = error;
		throw kind === 'not-found'
			? new SwitchboardError(kind, `The service does not take new code for ${name} (HTTP ${status}).`, {status, nextStep: uploadInstead})
			: error;
	}
};
