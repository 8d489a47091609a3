import {assert, once, test} from '../helpers/node.ts';
import {connect, type ConnectionOptions} from 'node:tls';
import {startService} from '../../source/service/service.ts';
import {createCertificate, temporaryDataFolder} from './kit.ts';

/** The protocol and the cipher of a handshake, or the code of the error that ended it. */
const shakeHands = async (baseAddress: string, options: ConnectionOptions): Promise<string> => {
	const {hostname, port} = new URL(baseAddress);
	const socket = connect({host: hostname, port: Number(port), rejectUnauthorized: false, ...options});
	try {
		await once(socket, 'secureConnect');
		return `${socket.getProtocol()!} ${socket.getCipher().name}`;
	} catch (error) {
		return String((error as NodeJS.ErrnoException).code);
	} finally {
		socket.destroy();
	}
};

const refused = /^ERR_SSL_(?:SSL\/TLS|SSLV3|TLSV1)_ALERT_(?:HANDSHAKE_FAILURE|PROTOCOL_VERSION)$|^ECONNRESET$/;

const cbc =
	'ECDHE-ECDSA-AES128-SHA256:ECDHE-RSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA384:ECDHE-RSA-AES256-SHA384:ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA:ECDHE-RSA-AES256-SHA:AES128-SHA:AES256-SHA:AES128-SHA256:AES256-SHA256';

test('TLS takes ciphers with authentication alone, with a renewed certificate too', async () => {
	const service = await startService({location: temporaryDataFolder(), ephemeralKey: 'sb_own', tls: createCertificate()});
	const check = async (): Promise<void> => {
		assert.match(await shakeHands(service.baseAddress, {maxVersion: 'TLSv1.2', ciphers: cbc}), refused);
		assert.match(
			await shakeHands(service.baseAddress, {minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0'}),
			/^ERR_SSL_/,
		);
		assert.match(await shakeHands(service.baseAddress, {maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256:AES256-GCM-SHA384'}), refused);
		assert.match(await shakeHands(service.baseAddress, {maxVersion: 'TLSv1.2'}), /^TLSv1\.2 ECDHE-(?:RSA|ECDSA)-AES\d+-GCM-SHA\d+$/);
		assert.match(await shakeHands(service.baseAddress, {}), /^TLSv1\.3 TLS_/);
	};

	try {
		await check();
		service.renewCertificate(createCertificate());
		await check();
	} finally {
		await service.close();
	}
});
