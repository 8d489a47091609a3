import {assert, assertSome, Buffer, path, readFileSync, test} from '../helpers/node.ts';
import {permissiveLicenses} from '../../source/build/notices.ts';
import {fieldsOf} from '../helpers/fields-of.ts';

const root = path.resolve(import.meta.dirname, '../..');

const readText = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const readJson = <Value>(file: string): Value => JSON.parse(readText(file)) as Value;

type Component = {
	readonly type: string;
	readonly 'bom-ref': string;
	readonly name: string;
	readonly version: string;
	readonly purl: string;
	readonly licenses: ReadonlyArray<{readonly license?: {readonly id: string}; readonly expression?: string}>;
	readonly hashes: ReadonlyArray<{readonly alg: string; readonly content: string}>;
};

type Bill = {
	readonly bomFormat: string;
	readonly specVersion: string;
	readonly version: number;
	readonly metadata: {readonly component: Component};
	readonly components: readonly Component[];
};

const bill = readJson<Bill>('dist/bom.cdx.json');

/** `name version` of all packages that the notices name. */
const noticed = [...readText('dist/NOTICES.txt').matchAll(/^(?<name>[\w\-./@]+) (?<version>\d+\.\d+\.\S+) \(.+\)$/gm)].map(
	({groups}) => `${groups!['name']!} ${groups!['version']!}`,
);

test('the bill of materials of the built program is one of CycloneDX 1.6, and names the program', () => {
	const own = readJson<{readonly name: string; readonly version: string}>('package.json');
	const {bomFormat, specVersion, version, metadata} = bill;
	assert.deepEqual([bomFormat, specVersion, version, Object.keys(metadata)], ['CycloneDX', '1.6', 1, ['component']]);
	const {type, name, purl} = metadata.component;
	assert.deepEqual(
		[type, name, metadata.component.version, purl],
		['application', own.name, own.version, `pkg:npm/${own.name}@${own.version}`],
	);
});

test('it holds each package that is in the bundle, with version, address, licence and the hash of the lock', () => {
	assert.ok(noticed.length > 50, String(noticed.length));
	assert.deepEqual(bill.components.map(({name, version}) => `${name} ${version}`).toSorted(), noticed.toSorted());
	assert.equal(new Set(bill.components.map(component => component['bom-ref'])).size, bill.components.length);
	const {packages} = readJson<{readonly packages: Readonly<Record<string, {readonly version?: string; readonly integrity?: string}>>}>(
		'package-lock.json',
	);
	for (const {type, name, version, purl, licenses, hashes} of bill.components) {
		assert.equal(type, 'library');
		assert.equal(purl, `pkg:npm/${name.replace('@', '%40')}@${version}`);
		assert.equal(licenses.length, 1, name);
		assert.ok(permissiveLicenses.has(licenses[0]!.license?.id ?? licenses[0]!.expression ?? ''), name);
		const locked = Object.entries(packages).filter(
			([folder, found]) => folder.endsWith(`node_modules/${name}`) && found.version === version,
		);
		assert.deepEqual(fieldsOf(hashes, 'alg'), ['SHA-512'], name);
		const integrity = `sha512-${Buffer.from(hashes[0]!.content, 'hex').toString('base64')}`;
		assertSome(locked, ([, found]) => found.integrity === integrity, name);
	}
});
