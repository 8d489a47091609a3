import {normalizeBaseAddress, publicServiceAddress, refuseInsecureAddress} from '../../interface/base-address.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {isJsonObject, parseJson, type JsonObject, type JsonValue} from '../../interface/json.ts';
import {explainFileError} from '../../platform/file-owner.ts';
import {readOwnedFile} from '../../platform/owned-file.ts';
import {isMissing} from '../../platform/private-files.ts';
import {keyLastFour, readApiKey, type Profile} from '../../settings/profile.ts';
import {openHomeFile} from '../../settings/sign-in-hint.ts';
import type {Context} from '../context.ts';
import {requireYes} from '../input/confirm.ts';

/** For messages. */
const shownFile = '~/.openhome/config.json';

/**
Takes the address and the key that other clients of the public service have stored, after the person has confirmed both.

@throws SwitchboardError `usage` for a file that cannot be used, or options beside it, `no-key`, `insecure`, `cancelled`.
*/
export async function takeOpenHomeAccess(
	context: Context,
	isKeyPiped: boolean,
): Promise<{readonly apiKey: string; readonly source: string} & Pick<Profile, 'baseAddress'>> {
	const {baseUrl, isInsecureHttpAllowed} = context.options;
	const other = baseUrl !== undefined ? '--base-url' : isKeyPiped ? '--api-key-stdin' : undefined;
	if (other !== undefined) {
		throw new SwitchboardError('usage', `--from-openhome and ${other} cannot be used together.`, {nextStep: 'Use one of them.'});
	}

	const {api_key: key, api_base: base} = readFields();
	const apiKey = readApiKey(textOf(key, 'api_key'), shownFile, context.note);
	if (apiKey === undefined) {
		throw new SwitchboardError('no-key', `There is no “api_key” in ${shownFile}.`, {nextStep: 'Sign in with: switchboard login'});
	}

	const baseAddress = addressOf(textOf(base, 'api_base'));
	refuseInsecureAddress(baseAddress, isInsecureHttpAllowed);
	const access = `${baseAddress} with the key ending in ${keyLastFour({apiKey})!}, both from ${shownFile}`;
	if (context.isSure) {
		context.note(`Using ${access}.`);
	} else {
		await requireYes(context, `Sign in to ${access}?`, {ifNo: 'Nothing was stored.'});
	}

	return {apiKey, source: shownFile, baseAddress};
}

const unusable = (reason: string, nextStep = 'Sign in with: switchboard login'): SwitchboardError =>
	new SwitchboardError('usage', `${shownFile} cannot be used: ${reason}.`, {nextStep});

/** Returns the fields of the file. Refuses a file that others can write, because they could send the key elsewhere. */
function readFields(): JsonObject {
	let text: string;
	try {
		text = readOwnedFile(openHomeFile(), {forbiddenMode: 0o022, maximumBytes: 64 * 1024});
	} catch (error) {
		if (isMissing(error)) {
			throw new SwitchboardError('no-key', `There is no ${shownFile}.`, {nextStep: 'Sign in with: switchboard login'});
		}

		const {reason, nextStep} = explainFileError(error, openHomeFile());
		throw unusable(reason, nextStep);
	}

	const value = parseJson(text);
	if (isJsonObject(value)) {
		return value;
	}

	throw unusable('it holds no JSON object');
}

function textOf(value: JsonValue | undefined, field: string): string | undefined {
	if (value !== undefined && value !== null && typeof value !== 'string') {
		throw unusable(`its “${field}” is not a text`);
	}

	return value ?? undefined;
}

function addressOf(text = ''): string {
	try {
		return normalizeBaseAddress(text.trim() === '' ? publicServiceAddress : text);
	} catch {
		// Its message quotes the text, which may be the key.
		throw unusable('its “api_base” is not the address of a service');
	}
}
