import {Buffer} from 'node:buffer';
import {createHash, createPublicKey, diffieHellman, encapsulate, generateKeyPairSync, type KeyObject} from 'node:crypto';

const keyExchangeInit = 20;

/** The list of exchanges comes after the type and the cookie (RFC 4253, section 7.1). */
const listStart = 17;

/** Returns the exchanges that a client proposes; none for another message, or for a message that is cut short, which `ssh2` finds too. */
export function proposedExchanges(payload: Buffer): readonly string[] {
	const start = listStart + 4;
	const end = payload.length < start ? Infinity : start + payload.readUInt32BE(listStart);
	return payload[0] !== keyExchangeInit || end > payload.length ? [] : payload.toString('latin1', start, end).split(',');
}

/** Returns the message with other exchanges. */
export function withExchanges(payload: Buffer, names: readonly string[]): Buffer {
	const list = Buffer.from(`\0\0\0\0${names.join(',')}`, 'latin1');
	list.writeUInt32BE(list.length - 4);
	return Buffer.concat([payload.subarray(0, listStart), list, payload.subarray(listStart + 4 + payload.readUInt32BE(listStart))]);
}

/** The DER of a public key up to the key itself (RFC 5280, section 4.1), for 2.16.840.1.101.3.4.4.2 and 1.3.101.110. */
const prefixes = {
	mlKem768: Buffer.from('308204b2300b0609608648016503040402038204a100', 'hex'),
	x25519: Buffer.from('302a300506032b656e032100', 'hex'),
};

const mlKemBytes = 1184;

const x25519Bytes = 32;

const publicKeyOf = (prefix: Buffer, bytes: Uint8Array): KeyObject =>
	createPublicKey({key: Buffer.concat([prefix, bytes]), format: 'der', type: 'spki'});

/** Tells whether ML-KEM is supported: it came with Node.js 24.7, and needs OpenSSL 3.5, which a system's own Node.js may lack. */
export function isMlKemSupported(): boolean {
	try {
		generateKeyPairSync('ml-kem-768');
		return typeof encapsulate === 'function';
	} catch {
		return false;
	}
}

/**
ML-KEM-768 and X25519 together: the secret is safe while either holds (draft-ietf-sshm-mlkem-hybrid-kex, section 2). OpenSSH has it since
9.9, prefers it since 10.0, and warns of exchanges that a quantum computer could break since 10.1.
*/
export const mlKemExchange = {
	name: 'mlkem768x25519-sha256',
	answer(request: Buffer) {
		if (request.length !== mlKemBytes + x25519Bytes) {
			throw new Error(`${request.length} bytes instead of ${mlKemBytes + x25519Bytes}`);
		}

		// Both calls refuse keys that are not valid, and X25519 a secret of zeros (FIPS 203, section 7.2; RFC 8731, section 3).
		const {ciphertext, sharedKey} = encapsulate(publicKeyOf(prefixes.mlKem768, request.subarray(0, mlKemBytes)));
		const own = generateKeyPairSync('x25519');
		const classical = diffieHellman({privateKey: own.privateKey, publicKey: publicKeyOf(prefixes.x25519, request.subarray(mlKemBytes))});
		return {
			reply: Buffer.concat([ciphertext, own.publicKey.export({format: 'der', type: 'spki'}).subarray(-x25519Bytes)]),
			secret: createHash('sha256').update(sharedKey).update(classical).digest(),
		};
	},
};
