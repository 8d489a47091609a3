import {assert, assertMapped, test} from '../helpers/node.ts';
import {type Endpoint, endpoints, fillPath, hasIdentifier, operationsAt, routesOf} from '../../source/interface/endpoints.ts';
import {fieldsOf} from '../helpers/fields-of.ts';

/** The documented routes of `docs/interface.md`, Paths, letter by letter. */
const documented: ReadonlyArray<readonly [summary: string, method: string, path: string]> = [
	['List agents', 'GET', '/api/personalities/get-all-personalities/'],
	['Edit agent', 'PUT', '/api/personalities/edit-personality/'],
	['Upload ability', 'POST', '/api/capabilities/add-capability/'],
	['Get ability', 'GET', '/api/capabilities/get-capability/{capability_id}/'],
	['List abilities', 'GET', '/api/capabilities/get-all-capability/'],
	['List installed abilities', 'GET', '/api/capabilities/get-installed-capabilities/'],
	['Enable or disable an installed ability', 'PUT', '/api/capabilities/edit-installed-capability/{installed_cap_id}/'],
	['Delete ability', 'POST', '/api/capabilities/delete-capability/{id}/'],
];

/** The routes that are only seen (`docs/interface.md`, Paths), without the last slash, which is optional. */
const alsoSeen: readonly string[] = [
	'GET /api/capabilities/get-all-capabilities',
	'POST /api/capabilities/delete-capability',
	'DELETE /api/capabilities/delete-capability/{id}',
	'POST /api/sdk/verify_apikey',
	'POST /api/sdk/get_personalities',
	'GET /api/capabilities/get/installed-capability/by-capability/{capability_id}',
	'GET /api/capabilities/get/template-file/{capability_id}',
	'POST /api/capabilities/validate/release-code/{release_id}',
	'PUT /api/capabilities/edit-capability/{id}',
	'POST /api/capabilities/enable/release/{release_id}',
	'GET /api/capabilities/list/capability-releases/{capability_id}',
	'DELETE /api/capabilities/uninstall-capability/{id}',
	'GET /api/capabilities/install-capability/{capability_id}',
];

const rows: readonly Endpoint[] = Object.values(endpoints);

test('the documented endpoints are exactly those of the document', () =>
	assert.deepEqual(
		rows.filter(({isDocumented}) => isDocumented).map(({summary, method, path}) => [summary, method, path]),
		documented,
	));

test('the other routes are exactly those that public clients use', () => {
	const others = rows.flatMap(row => [...(row.isDocumented ? [] : [row]), ...row.alsoSeen]);
	const shapes = new Set(others.map(({method, path}) => `${method} ${path.replace(/\/$/, '')}`));
	assert.deepEqual([...shapes].toSorted(), alsoSeen.toSorted());
});

test('the key travels in the body below /api/sdk/ and in the header elsewhere', () =>
	assert.deepEqual(
		rows.filter(({auth, path}) => (auth === 'body') !== path.startsWith('/api/sdk/')).map(({path}) => path),
		[],
	));

test('the documented route of an operation is tried first', () =>
	assert.deepEqual(routesOf('listAbilities'), [
		{method: 'GET', path: '/api/capabilities/get-all-capability/'},
		{method: 'GET', path: '/api/capabilities/get-all-capabilities/'},
	]));

test('an identifier is filled into a path, and required if the path has one', () => {
	assert.equal(fillPath('/x/{capability_id}/', 7), '/x/7/');
	assert.equal(fillPath('/x/'), '/x/');
	assert.throws(() => fillPath('/x/{id}/'), TypeError);
	assertMapped(['/x/{id}/', '/x/'], path => hasIdentifier(path), [true, false]);
});

test('each operation is found at its paths, with and without the last slash and in any case', () => {
	for (const operation of Object.keys(endpoints) as ReadonlyArray<keyof typeof endpoints>) {
		for (const {method, path} of routesOf(operation)) {
			const filled = hasIdentifier(path) ? fillPath(path, 8) : path;
			for (const spelled of [filled, filled.replace(/\/$/, ''), filled.toUpperCase()]) {
				assert.ok(
					operationsAt(spelled).some(found => found.summary === endpoints[operation].summary && found.method === method),
					`${method} ${spelled}`,
				);
			}
		}
	}

	assert.deepEqual(fieldsOf(operationsAt('/api/capabilities/delete-capability/8/'), 'method'), ['POST', 'DELETE']);
	assert.deepEqual(
		['/', '/api', '/api/capabilities/get-capability/', '/api/capabilities/get-capability/8/9'].flatMap(path => operationsAt(path)),
		[],
	);
});
