/** The key that tries again, and when: only a service that limits requests says how long to wait. */
export const retryText = (key: string, nextStep: string | undefined): string => {
	const wait = /^Try again in (?:\d+ s|a minute)(?=\.$)/.exec(nextStep ?? '')?.[0];
	return wait === undefined ? `${key} tries again.` : `${wait} with ${key}.`;
};
