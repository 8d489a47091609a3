import type {Context} from './context.ts';

/** Warns that the profile named by the environment overrides the new current one. */
export const warnOfProfileVariable = ({env, note}: Context, currentName: string): void => {
	const name = env['SWITCHBOARD_PROFILE']?.trim() ?? '';
	if (name !== '' && name !== currentName) {
		note(`SWITCHBOARD_PROFILE is set, so commands in this shell still use “${name}”.`);
	}
};
