import {setDefaultCACertificates} from 'node:tls';
import {generate} from 'selfsigned';

export type Certificate = {
	/** PEM. */
	readonly cert: string;
	/** PEM. */
	readonly key: string;
};

type Wanted = {
	readonly name?: string;
	readonly lastDay?: Date;
	readonly issuer?: Certificate;
	readonly isAuthority?: boolean;
};

const day = 24 * 60 * 60 * 1000;

const create = async ({name = 'localhost', lastDay = new Date(Date.now() + (2 * day)), issuer, isAuthority = false}: Wanted = {}): Promise<Certificate> => {
	const {cert, private: key} = await generate([{name: 'commonName', value: name}], {
		keyType: 'ec',
		algorithm: 'sha256',
		notBeforeDate: new Date(Date.now() - (10 * day)),
		notAfterDate: lastDay,
		...(issuer !== undefined && {ca: issuer}),
		extensions: [
			{name: 'basicConstraints', cA: isAuthority, critical: true},
			{name: 'keyUsage', digitalSignature: true, keyCertSign: isAuthority},
			{name: 'subjectAltName', altNames: name === 'localhost' ? [{type: 2, value: name}, {type: 7, ip: '127.0.0.1'}] : [{type: 2, value: name}]},
		],
	});
	return {cert, key};
};

/** Certificates for this machine of an authority that this process trusts from then on, and no other: a good one, and bad ones of each kind. */
export const createCertificates = async () => {
	const issuer = await create({name: 'switchboard test authority', isAuthority: true});
	setDefaultCACertificates([issuer.cert]);
	const [good, expired, forAnotherName, selfSigned] = await Promise.all([
		create({issuer}),
		create({issuer, lastDay: new Date(Date.now() - day)}),
		create({issuer, name: 'voice.invalid'}),
		create(),
	]);
	return {
		good, expired, forAnotherName, selfSigned,
	};
};
