import {generate} from 'selfsigned';

export type Certificate = {
	/** PEM. */
	readonly cert: string;
	/** PEM. */
	readonly key: string;
};

/** A self-signed certificate for this machine, which clients trust only if told to. */
export const createCertificate = async (): Promise<Certificate> => {
	const {cert, private: key} = await generate([{name: 'commonName', value: 'localhost'}], {
		keySize: 2048,
		algorithm: 'sha256',
		extensions: [
			{name: 'basicConstraints', cA: true},
			{name: 'subjectAltName', altNames: [{type: 2, value: 'localhost'}, {type: 7, ip: '127.0.0.1'}]},
		],
	});
	return {cert, key};
};
