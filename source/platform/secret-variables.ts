import process from 'node:process';
import {unwrapKey} from './pasted-key.ts';

/** The URL may hold a password. */
export const databaseUrlVariable = 'SWITCHBOARD_DATABASE_URL';

/** A variable with a key for a model. It is not used here, but the person may have set it. */
const modelKeyVariable = 'SWITCHBOARD_MODEL_KEY';

/** Tells whether this is the URL of a PostgreSQL database. Any other location of a store is a data folder. */
export function isDatabaseUrl(location: string): boolean {
	return /^postgres(?:ql)?:\/\//i.test(location);
}

/** Tells whether a URL that can be parsed holds a password. */
export function holdsPassword(url: string): boolean {
	const {password, searchParams} = new URL(url);
	return password !== '' || searchParams.keys().some(name => isPasswordParameter(name));
}

const isPasswordParameter = (name: string): boolean => /^(?:ssl)?password$/i.test(name);

/** The parameters that locate a database. Any other parameter may hold a secret. */
const shownParameters: ReadonlySet<string> = new Set(['host', 'hostaddr', 'port', 'user', 'dbname', 'sslmode', 'sslrootcert', 'sslcert']);

/** Returns a valid URL for display: the database's location and user, without anything that may be secret. */
export function withoutPassword(url: string): string {
	const shown = new URL(url);
	if (isMixedUp(shown)) {
		return shown.protocol + '//';
	}

	shown.password = '';
	shown.hash = '';
	// A colon may be encoded, even several times.
	shown.username = shown.username.replace(/(?:%[0-7]|[^\w%\-.]).*$/s, '');
	const hidden = [...shown.searchParams].filter(
		([name, value]) => !shownParameters.has(name) || value.includes('@') || (name === 'user' && value.includes(':')),
	);
	for (const [name] of hidden) {
		shown.searchParams.delete(name);
	}

	return shown.href;
}

/**
True if a password with special characters may have been read as another part of the URL: in a host, only the folder of a socket has one,
the slash.
*/
const isMixedUp = ({host, pathname, search, hash}: URL): boolean =>
	/@|%40/.test(pathname) || `${search}${hash}`.includes('@') || /%(?!2f)/i.test(host);

/** Returns the passwords in everything that looks like a URL with one, valid or not, as they are written and as they are decoded. */
export function passwordsIn(text: string): readonly string[] {
	return [
		...[...text.matchAll(/\b[a-z][\d+\-.a-z]*:\/\/[^\s:@]*?(?::|%3a)(?<password>\S+)@/gi)].map(({groups}) => groups!['password']!),
		...[...text.matchAll(/(?<=[&?])(?<name>[^\s&=]+)=(?<password>[^\s&]+)/g)]
			.filter(({groups}) => isPasswordParameter(decoded(groups!['name']!)))
			.map(({groups}) => groups!['password']!),
	].flatMap(password => [password, decoded(password)]);
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

export const keyVariables = ['SWITCHBOARD_API_KEY', 'OPENHOME_API_KEY'] as const;

/** The variable with a session token of the dashboard, as other clients of the public service read it. */
export const sessionTokenVariable = 'OPENHOME_JWT';

const credentialVariables = [...keyVariables, modelKeyVariable, sessionTokenVariable] as const;

/**
The variables that other programs must not get: they may log or pass on the values, and the address of a database may hold a password.
*/
const secretVariables: ReadonlySet<string> = new Set([...credentialVariables, databaseUrlVariable]);

/** Returns the environment for another program, such as an editor. */
export function environmentWithoutKeys(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
	// Windows finds variables in any case.
	return Object.fromEntries(Object.entries(env).filter(([name]) => !secretVariables.has(name.toUpperCase())));
}

/** Returns the keys of the environment, including the model's key and the session token, as they are used. */
export function environmentKeys(env: Readonly<Record<string, string | undefined>>): readonly string[] {
	return credentialVariables.map(name => unwrapKey(env[name] ?? '').key).filter(key => key !== '');
}

/**
Returns the secrets that no message and no report may hold: the keys of the environment, including the model's, and the password of the
database.
*/
export function secretsOf(env: NodeJS.ProcessEnv = process.env): readonly string[] {
	return [...environmentKeys(env), ...passwordsIn(env[databaseUrlVariable] ?? '')];
}
