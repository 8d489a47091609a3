import {Buffer} from 'node:buffer';
import {generateKeyPairSync, randomBytes, sign} from 'node:crypto';
import {isIPv4} from 'node:net';
import {setDefaultCACertificates} from 'node:tls';
import {bits, identifier, integer, octets, sequence, set, time, utf8, value, yes} from './der.ts';

export type Certificate = {readonly cert: string; readonly key: string};

type Issuer = Certificate & {readonly name: string};

type Wanted = {
	/** Names and IPv4 addresses that it is for. */
	readonly names?: readonly [string, ...string[]];
	readonly lastDay?: Date;
	/** Signs itself unless given. */
	readonly issuer?: Issuer;
	readonly isAuthority?: boolean;
};

const day = 24 * 60 * 60 * 1000;

const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'));

/** A name that has nothing but a common name. */
const nameOf = (name: string): Buffer => sequence(set(sequence(identifier('550403'), utf8(name))));

const criticalExtension = (hex: string, content: Uint8Array): Buffer => sequence(identifier(hex), yes, octets(content));

const alternativeName = (name: string): Buffer =>
	isIPv4(name) ? value(0x87, Uint8Array.from(name.split('.').map(Number))) : value(0x82, Buffer.from(name));

const extensions = (names: readonly string[], isAuthority: boolean): Buffer =>
	sequence(
		criticalExtension('551d13', isAuthority ? sequence(yes) : sequence()),
		// Digital signatures; an authority signs certificates too.
		criticalExtension('551d0f', isAuthority ? bits(Uint8Array.of(0x84), 2) : bits(Uint8Array.of(0x80), 7)),
		sequence(identifier('551d11'), octets(sequence(...names.map(name => alternativeName(name))))),
	);

/** A positive number of eight bytes, without a zero in front. */
const serialNumber = (): Buffer => value(0x02, Uint8Array.of(1), randomBytes(7));

/** A certificate of RFC 5280 for this machine, good for two days unless told otherwise. Clients trust it only if told to. */
export function createCertificate({
	names = ['localhost', '127.0.0.1'],
	lastDay = new Date(Date.now() + 2 * day),
	issuer,
	isAuthority = issuer === undefined,
}: Wanted = {}): Issuer {
	const [name] = names;
	const keys = generateKeyPairSync('ec', {namedCurve: 'P-256'});
	const key = keys.privateKey.export({type: 'pkcs8', format: 'pem'}).toString();
	const signed = sequence(
		value(0xa0, integer(2)),
		serialNumber(),
		ecdsaWithSha256,
		nameOf(issuer?.name ?? name),
		sequence(time(new Date(Date.now() - 10 * day)), time(lastDay)),
		nameOf(name),
		keys.publicKey.export({type: 'spki', format: 'der'}),
		value(0xa3, extensions(names, isAuthority)),
	);
	const certificate = sequence(signed, ecdsaWithSha256, bits(sign('sha256', signed, issuer?.key ?? key)));
	return {
		name,
		key,
		cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replaceAll(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`,
	};
}

/** Certificates for this machine of an authority that this process trusts from then on, and no other: a good one, and bad ones of each kind. */
export function createCertificates() {
	const issuer = createCertificate({names: ['switchboard test authority']});
	setDefaultCACertificates([issuer.cert]);
	return {
		good: createCertificate({issuer}),
		expired: createCertificate({issuer, lastDay: new Date(Date.now() - day)}),
		forAnotherName: createCertificate({issuer, names: ['voice.invalid']}),
		selfSigned: createCertificate({isAuthority: false}),
	};
}
