import assert from 'node:assert/strict';
import {test} from 'node:test';
import {proxyOf, refuseUnusableProxy} from '../../source/client/proxy.ts';

const service = new URL('https://voice.example.com/api/');

const proxy = ['http', 'someone:pass-word@proxy.example.com:3128'].join('://');

test('a proxy is named by its variable and host, without its password', () => {
	assert.deepEqual(proxyOf(service, {HTTPS_PROXY: proxy}), {
		variable: 'HTTPS_PROXY', hostname: 'proxy.example.com', port: 3128, host: 'proxy.example.com:3128',
	});
	assert.equal(proxyOf(service, {HTTPS_PROXY: proxy, https_proxy: 'https://other.example.com'})?.port, 443);
	assert.equal(proxyOf(service, {HTTPS_PROXY: '', https_proxy: proxy})?.variable, 'https_proxy');
});

test('no proxy is named for direct requests', () => {
	assert.equal(proxyOf(service, {HTTP_PROXY: proxy}), undefined);
	assert.equal(proxyOf(new URL('https://localhost:8787'), {HTTPS_PROXY: proxy}), undefined);
	for (const list of ['*', 'voice.example.com', 'other.example, .example.com', '*.example.com', 'VOICE.example.com']) {
		assert.equal(proxyOf(service, {HTTPS_PROXY: proxy, NO_PROXY: list}), undefined, list);
	}

	for (const list of ['', 'example.com', 'other.example']) {
		assert.ok(proxyOf(service, {HTTPS_PROXY: proxy, NO_PROXY: list}), list);
	}
});

test('a proxy is refused on a Node.js that would go around it', () => {
	assert.throws(() => {
		refuseUnusableProxy({https_proxy: proxy}, '24.4.1');
	}, {kind: 'usage', message: /^Node\.js 24\.4\.1 cannot use the proxy/});
	refuseUnusableProxy({}, '24.0.0');
	for (const version of ['24.5.0', '24.21.0', '25.0.0']) {
		refuseUnusableProxy({https_proxy: proxy}, version);
	}
});
