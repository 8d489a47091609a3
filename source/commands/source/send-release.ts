import type {PackedAbility} from '../../bundle/pack-ability.ts';
import type {FoundRelease, ReleaseAccess} from '../../client/find-release.ts';
import {releaseSource} from '../../client/release-source.ts';
import type {Ability} from '../../interface/records.ts';
import {shellWord} from '../../settings/sign-in-hint.ts';
import type {Context} from '../context.ts';
import {readAfterwards} from '../unknown-outcome.ts';
import type {Service} from '../with-service.ts';

/** The releases of a service, for a command. */
export const releasesOf = ({readSignal}: Context, {client}: Service): ReleaseAccess => ({
	client,
	signal: readSignal,
	advice: {
		uploadInstead: 'Upload it under another name: switchboard abilities upload FOLDER --name NAME',
		install: name => `Install it first: switchboard install ${shellWord(name)}`,
		check: name => `Check with: switchboard abilities diff ${shellWord(name)} FOLDER`,
	},
});

type NewSource = {
	readonly ability: Ability;
	readonly release: FoundRelease;
	readonly packed: Pick<PackedAbility, 'contents'>;
	readonly message: string;
};

/** Releases new code of an ability, and shows its progress; returns and throws as `releaseSource` of the client does. */
export const sendRelease = async (context: Context, service: Service, {release, ...source}: NewSource): Promise<string | undefined> => {
	const {name} = source.ability;
	const onProgress = (fraction: number): void => {
		context.showProgress(fraction < 1 ? `Sending ${name}: ${Math.floor(fraction * 100)} %` : `Sent ${name}; waiting for the answer …`);
	};

	return releaseSource(releasesOf(context, service), {
		...source,
		// It may take as long as the line needs; it has a limit of its own for standing still.
		send: async code => context.waitFor(async () => service.client.releaseCode(release.id, code, {onProgress, signal: context.signal})),
		readAfterwards: async read => readAfterwards(context, read),
	});
};
