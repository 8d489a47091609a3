/** The environment variable with the URL of the database. It may hold a password. */
export const databaseUrlVariable = 'SWITCHBOARD_DATABASE_URL';

/** True for the URL of a PostgreSQL database. Any other place of a store is a data folder. */
export const isDatabaseUrl = (location: string): boolean => /^postgres(?:ql)?:\/\//i.test(location);

const isPasswordParameter = (name: string): boolean => /^(?:ssl)?password$/i.test(name);

/** True if a URL that can be parsed holds a password. */
export const holdsPassword = (url: string): boolean => {
	const {password, searchParams} = new URL(url);
	return password !== '' || searchParams.keys().some(name => isPasswordParameter(name));
};

/** A URL that can be parsed, as it may be shown: without its password. */
export const withoutPassword = (url: string): string => {
	const shown = new URL(url);
	shown.password = '';
	for (const name of new Set(shown.searchParams.keys())) {
		if (isPasswordParameter(name)) {
			shown.searchParams.delete(name);
		}
	}

	return shown.href;
};

const decoded = (text: string): string => {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
};

/** The passwords in all that looks like a URL with one, right or wrong, as they are written and as they are meant. */
export const passwordsIn = (text: string): readonly string[] => [
	...text.matchAll(/\b[a-z][\d+\-.a-z]*:\/\/[^\s/:@]*:(?<password>\S+)@/gi),
	...text.matchAll(/[&?](?:ssl)?password=(?<password>[^\s&]+)/gi),
].flatMap(({groups}) => [groups!['password']!, decoded(groups!['password']!)]);
