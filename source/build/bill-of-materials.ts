import {Buffer} from 'node:buffer';
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import type {Metafile} from 'esbuild';
import {findPackages, type Package} from './notices.ts';

type LockedPackages = Readonly<Record<string, {readonly integrity?: string}>>;

/** The names of CycloneDX for the hashes of npm. */
const algorithms: Readonly<Record<string, string>> = {sha1: 'SHA-1', sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512'};

/** Those of the archive that npm installed, as the lock has them (https://w3c.github.io/webappsec-subresource-integrity/). */
const hashesOf = ({folder}: Package, locked: LockedPackages) => {
	// Where `node_modules` is a link, esbuild names the place that it leads to.
	const {integrity = ''} = locked[folder.slice(folder.indexOf('node_modules/'))] ?? {};
	return [...integrity.matchAll(/(?<name>sha\d+)-(?<content>[\w+/=]+)/g)].map(({groups}) => ({
		alg: algorithms[groups!['name']!]!,
		content: Buffer.from(groups!['content']!, 'base64').toString('hex'),
	}));
};

/** A package URL (https://github.com/package-url/purl-spec), in which only the @ of a scope needs escaping. */
const purlOf = ({name, version}: Pick<Package, 'name' | 'version'>): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;

const licensesOf = (license: string | undefined) =>
	license === undefined ? [] : [/\s/.test(license) ? {expression: license} : {license: {id: license}}];

const toComponent = (type: 'application' | 'library', {name, version, license}: Pick<Package, 'name' | 'version' | 'license'>) => ({
	type,
	'bom-ref': `${name}@${version}`,
	name,
	version,
	licenses: licensesOf(license),
	purl: purlOf({name, version}),
});

/**
All packages in a bundle as a software bill of materials, for programs that look for known vulnerabilities: JSON of CycloneDX 1.6
(https://cyclonedx.org/docs/1.6/json/), with the names that `npm sbom` uses.

@param root - the folder of the project, from which the paths in the metafile start.
*/
export const writeBillOfMaterials = async (metafile: Metafile, root: string): Promise<string> => {
	const readJson = async (name: string): Promise<unknown> => JSON.parse(await readFile(path.join(root, name), 'utf8'));
	const [packages, own, lock] = await Promise.all([
		findPackages(metafile, root),
		readJson('package.json') as Promise<Package>,
		readJson('package-lock.json') as Promise<{readonly packages: LockedPackages}>,
	]);
	const component = toComponent('application', own);
	const components = packages.map(found => ({...toComponent('library', found), hashes: hashesOf(found, lock.packages)}));
	const bill = {
		$schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
		bomFormat: 'CycloneDX',
		specVersion: '1.6',
		version: 1,
		// Nothing is said of the time of a build, so that the same sources give the same bytes.
		metadata: {component},
		components,
	};
	return `${JSON.stringify(bill)}\n`;
};
