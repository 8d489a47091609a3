import {type Buffer} from 'node:buffer';
import {
	createHash,
	createPublicKey,
	verify,
	type JsonWebKey,
} from 'node:crypto';

/** A public key in OpenSSH's format (RFC 4253, section 6.6; RFC 5656; RFC 8709). */
export type PublicKey = {
	readonly type: string;
	readonly blob: Buffer;
	/** As OpenSSH prints it: `SHA256:…`. */
	readonly fingerprint: string;
	/**
	@param hash - that of an RSA signature, which has several; other types have one of their own.
	@returns false also for a malformed signature.
	*/
	readonly verifies: (data: Uint8Array, signature: Uint8Array, hash: string | undefined) => boolean;
};

const curves: Readonly<Record<string, {readonly curve: string; readonly name: string; readonly bytes: number; readonly hash: string}>> = {
	'ecdsa-sha2-nistp256': {
		curve: 'nistp256', name: 'P-256', bytes: 32, hash: 'sha256',
	},
	'ecdsa-sha2-nistp384': {
		curve: 'nistp384', name: 'P-384', bytes: 48, hash: 'sha384',
	},
	'ecdsa-sha2-nistp521': {
		curve: 'nistp521', name: 'P-521', bytes: 66, hash: 'sha512',
	},
};

export const keyTypes: readonly string[] = ['ssh-ed25519', ...Object.keys(curves), 'ssh-rsa'];

const smallestRsaBits = 2048;

/** The longest that OpenSSL verifies. */
const largestRsaBits = 16_384;

/** RSA signatures with SHA-1 are not accepted. */
const rsaHashes: ReadonlySet<string | undefined> = new Set(['sha256', 'sha512']);

export const fingerprintOf = (blob: Uint8Array): string => `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;

/** The fields of a blob, each behind its length; `undefined` if they do not fill it exactly. */
const fieldsOf = (blob: Buffer): readonly Buffer[] | undefined => {
	const fields: Buffer[] = [];
	let offset = 0;
	while (offset < blob.length) {
		const end = offset + 4 > blob.length ? Infinity : offset + 4 + blob.readUInt32BE(offset);
		// The longest key has three.
		if (end > blob.length || fields.length === 3) {
			return undefined;
		}

		fields.push(blob.subarray(offset + 4, end));
		offset = end;
	}

	return fields;
};

/** A positive number without needless zeros; `undefined` if the field is not one (RFC 4251, `mpint`). */
const positiveNumber = (field: Buffer): Buffer | undefined => {
	const isSigned = field[0] === 0;
	const digits = isSigned ? field.subarray(1) : field;
	// eslint-disable-next-line no-bitwise -- The first bit is the sign.
	const hasTopBit = ((digits[0] ?? 0) & 0x80) !== 0;
	return digits.length > 0 && digits[0] !== 0 && hasTopBit === isSigned ? digits : undefined;
};

/** What Node.js needs to know of a key, and the hash of its signatures; a clause about the key if it cannot be used. */
type Parts = string | {readonly jwk: JsonWebKey; readonly hash: string | undefined};

const notValid = 'is not valid';

const ed25519Parts = ([key, ...rest]: readonly Buffer[]): Parts => key?.length === 32 && rest.length === 0
	? {jwk: {kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url')}, hash: undefined}
	: notValid;

const curveParts = (type: string, [name, point, ...rest]: readonly Buffer[]): Parts => {
	const {curve, name: crv, bytes, hash} = curves[type]!;
	if (name?.toString('latin1') !== curve || point?.length !== 1 + (2 * bytes) || point[0] !== 4 || rest.length > 0) {
		return notValid;
	}

	const jwk = {
		kty: 'EC', crv, x: point.subarray(1, 1 + bytes).toString('base64url'), y: point.subarray(1 + bytes).toString('base64url'),
	};
	return {jwk, hash};
};

const rsaParts = ([exponentField, modulusField, ...rest]: readonly Buffer[]): Parts => {
	const exponent = exponentField && positiveNumber(exponentField);
	const modulus = modulusField && positiveNumber(modulusField);
	// A long exponent would make each try cost much.
	if (exponent === undefined || exponent.length > 8 || modulus === undefined || rest.length > 0) {
		return notValid;
	}

	const bits = (modulus.length * 8) - Math.clz32(modulus[0]!) + 24;
	return bits < smallestRsaBits || bits > largestRsaBits
		? `has ${bits} bits, and must have ${smallestRsaBits} to ${largestRsaBits}`
		: {jwk: {kty: 'RSA', n: modulus.toString('base64url'), e: exponent.toString('base64url')}, hash: undefined};
};

const partsOf = (type: string, fields: readonly Buffer[]): Parts => {
	if (type === 'ssh-ed25519') {
		return ed25519Parts(fields);
	}

	return type === 'ssh-rsa' ? rsaParts(fields) : curveParts(type, fields);
};

/**
Reads the blob of a public key, and checks that it is one.

@returns a clause about the key, such as “is not valid”, if it cannot be used.
*/
export const readPublicKey = (blob: Buffer): PublicKey | string => {
	const [typeField, ...fields] = fieldsOf(blob) ?? [];
	const type = typeField?.toString('latin1') ?? '';
	if (!keyTypes.includes(type)) {
		return `is of no type that is accepted: ${keyTypes.join(', ')}`;
	}

	const parts = partsOf(type, fields);
	if (typeof parts === 'string') {
		return parts;
	}

	try {
		const key = createPublicKey({key: parts.jwk, format: 'jwk'});
		return {
			type,
			blob,
			fingerprint: fingerprintOf(blob),
			verifies(data, signature, hash) {
				if (type === 'ssh-rsa' && !rsaHashes.has(hash)) {
					return false;
				}

				try {
					return verify(type === 'ssh-rsa' ? hash : parts.hash, data, key, signature);
				} catch {
					return false;
				}
			},
		};
	} catch {
		return notValid;
	}
};
