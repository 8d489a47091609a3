import {Buffer} from 'node:buffer';
import {linkSync, rmSync, writeFileSync} from 'node:fs';
import ssh2 from 'ssh2';
import {SwitchboardError} from '../interface/errors.ts';
import {explainFileError} from '../platform/file-owner.ts';
import {hasErrorCode, isMissing} from '../platform/private-files.ts';
import {readOwnedFile} from '../platform/owned-file.ts';
import {fingerprintOf} from './authorized-keys.ts';

const type = 'ssh-ed25519';

/** Returns a new key pair. One in three hundred pairs made by ssh2 is malformed, and ssh2 itself cannot read it. */
export function generateKeyPair(): {readonly private: string; readonly public: string} {
	const pair = ssh2.utils.generateKeyPairSync('ed25519', {comment: 'switchboard'});
	return ssh2.utils.parseKey(pair.private) instanceof Error ? generateKeyPair() : pair;
}

/**
Reads the host key, in OpenSSH's format, and creates one (0600) if there is none.

@throws SwitchboardError `usage` if the file is not an ed25519 key without a passphrase, or if others can read it.
*/
export function openHostKey(file: string) {
	let text: string;
	try {
		const found = readText(file);
		if (found === undefined) {
			createFile(file);
		}

		text = found ?? readText(file) ?? '';
	} catch (error) {
		const {reason, nextStep = 'Fix that, or choose another file with --host-key.'} = explainFileError(error, file);
		throw new SwitchboardError('usage', `The host key ${file} cannot be used: ${reason}.`, {nextStep, cause: error});
	}

	const key = ssh2.utils.parseKey(text);
	if (key instanceof Error || key.type !== type || !key.isPrivateKey()) {
		throw new SwitchboardError('usage', `${file} is not an ed25519 key without a passphrase.`, {
			nextStep: 'Make one with: ssh-keygen -t ed25519 -N "" -f FILE, or let Switchboard make one where no file is.',
		});
	}

	return {text, fingerprint: fingerprintOf(Buffer.from(key.getPublicSSH()))};
}

function readText(file: string): string | undefined {
	try {
		return readOwnedFile(file, {forbiddenMode: 0o077, maximumBytes: 16 * 1024});
	} catch (error) {
		if (isMissing(error)) {
			return undefined;
		}

		throw error;
	}
}

/** Creates the file with all its content or not at all. If another process was faster, its key stays. */
function createFile(file: string): void {
	const unfinished = `${file}.${crypto.randomUUID()}.tmp`;
	try {
		writeFileSync(unfinished, generateKeyPair().private, {flag: 'wx', mode: 0o600, flush: true});
		linkSync(unfinished, file);
	} catch (error) {
		if (!hasErrorCode(error, 'EEXIST')) {
			throw error;
		}
	} finally {
		rmSync(unfinished, {force: true});
	}
}
