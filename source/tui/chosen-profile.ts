import {SwitchboardError} from '../interface/errors.ts';
import {type ProfileServices} from './profile-services.ts';
import {type Sessions} from './sessions.ts';
import {type ProfileMark} from './widgets/profile-mark.ts';

type ChosenProfileOptions = {
	readonly sessions: Sessions;
	readonly profileMark?: ProfileMark | undefined;
};

const refuse = async (): Promise<never> => {
	throw new SwitchboardError('refused', 'Profiles cannot be changed over SSH.');
};

/** The profile of somebody who came over SSH: the only one that there is for them. */
export const createChosenProfile = ({sessions: {getSession}, profileMark}: ChosenProfileOptions): ProfileServices => ({
	profiles: () => [],
	currentProfileName: () => getSession().profileName,
	profileMark: () => profileMark,
	proposedSignIn: () => ({baseAddress: getSession().client.baseAddress}),
	proposedProfileName: () => undefined,
	signIn: refuse,
	renameProfile: refuse,
	switchProfile: refuse,
	signOut: refuse,
});
