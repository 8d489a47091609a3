import {Buffer} from 'node:buffer';
import {readdir, readFile} from 'node:fs/promises';
import path from 'node:path';
import type {Metafile} from 'esbuild';

/** The licences that allow use, change and distribution, and demand no more than a notice. */
export const permissiveLicenses: ReadonlySet<string> = new Set([
	'0BSD',
	'Apache-2.0',
	'BSD-2-Clause',
	'BSD-3-Clause',
	'BlueOak-1.0.0',
	'ISC',
	'MIT',
	'(MIT OR CC0-1.0)',
	'Unlicense',
]);

/** The text of the MIT licence. */
const mitText = (copyright: string): string => `MIT License

${copyright}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** The texts of packages that leave theirs out, from where they are developed. */
const missingTexts: Readonly<Record<string, string>> = {
	'abstract-logging': mitText('Copyright (c) James Sumners'),
	'pg-types': mitText('Copyright (c) 2014 Brian M. Carlson'),
	pgpass: mitText('Copyright (c) 2013-2016 Hannes Hörl'),
	'yoga-layout': mitText('Copyright (c) Meta Platforms, Inc. and affiliates.'),
};

/** The lines with which a licence begins: its name and whose it is. They differ where the rest is the same. */
const headLine = /^(?:\s*|\(?(?:The )?MIT License\)?(?: \(MIT\))?|(?:The )?ISC License(?: \(ISC\))?|\s*(?:Copyright\b|\(c\)).*)$/i;

/** A package that is in a bundle. */
type Package = {readonly name: string; readonly version: string; readonly license?: string};

/** A package with where it is, from the root of the project, and the text that has to be passed on with it. */
type LicensedPackage = Package & {readonly folder: string; readonly text: string};

/**
Returns all packages in a bundle, sorted by name and version.

@param root - the folder that the paths in the metafile start from.
@throws Error if a package has no licence or comes without its text, or if its licence demands more than a notice.
*/
export async function findPackages(metafile: Metafile, root: string): Promise<readonly LicensedPackage[]> {
	// Files that esbuild dropped are no part of the bundle.
	const used = Object.values(metafile.outputs).flatMap(({inputs}) => Object.keys(inputs));
	const folders = [...new Set(used.flatMap(file => packageFolderOf(file) ?? []))];
	const packages = await Promise.all(folders.toSorted().map(async folder => readPackage(root, folder)));
	// A version may be installed in several places.
	const different = [...new Map(packages.map(found => [`${found.name} ${found.version}`, found])).values()];
	return different.toSorted((one, other) => one.name.localeCompare(other.name, 'en') || one.version.localeCompare(other.version, 'en'));
}

/**
The folder of the package that a file is in: up to the name after the last `node_modules`. Modules of a plug-in, such as `builtin:…`, are no
files.
*/
const packageFolderOf = (file: string): string | undefined =>
	/^(?<folder>[^:]*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.groups?.['folder'];

type Manifest = Package & {
	/** As the oldest packages say it. */
	readonly licenses?: ReadonlyArray<{readonly type: string}>;
};

async function readPackage(root: string, folder: string): Promise<LicensedPackage> {
	const manifest = JSON.parse(await readFile(path.join(root, folder, 'package.json'), 'utf8')) as Manifest;
	const {name, version, licenses, license = licenses?.[0]?.type} = manifest;
	const files = (await readdir(path.join(root, folder))).filter(file => /^(?:licen[cs]e|copying|notice)/i.test(file)).toSorted();
	if (license === undefined && files.length === 0) {
		throw new Error(`${name} ${version} has no licence.`);
	}

	if (license !== undefined && !permissiveLicenses.has(license)) {
		throw new Error(`${name} ${version} is under ${license}, which the program cannot include.`);
	}

	const read = await Promise.all(files.map(async file => (await readFile(path.join(root, folder, file), 'utf8')).trim()));
	const texts = files.length === 0 ? [missingTexts[name] ?? ''] : read;
	if (texts.includes('')) {
		throw new Error(`${name} ${version} comes without the text of its licence, which has to be passed on.`);
	}

	return {name, version, ...(license !== undefined && {license}), folder, text: texts.join('\n\n')};
}

/**
Returns the names, versions and licences of packages, as their licences demand of anyone who passes them on. A text that several packages
share is there once, however its lines are broken, after the copyright lines of each.
*/
export function noticesOf(packages: readonly LicensedPackage[]): string {
	const described = packages.map(found => ({...found, ...splitText(found.text)}));
	const notices = [...Map.groupBy(described, ({body}) => body.replaceAll(/\s+/g, ' ')).values()].map(sharing => noticeOf(sharing));
	const line = `\n\n${'-'.repeat(80)}\n\n`;
	return `Switchboard includes the following packages.${line}${notices.join(line)}\n`;
}

/** Returns a licence in two parts: to whom it belongs, and what it says. */
function splitText(text: string): {readonly head: string; readonly body: string} {
	const lines = text.split('\n');
	const start = lines.findIndex(line => !headLine.test(line.trimEnd()));
	const [head, body] = [lines.slice(0, Math.max(0, start)), lines.slice(Math.max(0, start))];
	return {head: head.join('\n').trim(), body: body.join('\n').trim()};
}

/** Returns the packages that have one licence, each under whose it is, and its text. */
function noticeOf(sharing: ReadonlyArray<Package & {readonly head: string; readonly body: string}>): string {
	const heads = [...Map.groupBy(sharing, ({head}) => head)].map(([head, packages]) =>
		[namesOf(packages), head].filter(Boolean).join('\n\n'),
	);
	return [...heads, sharing[0]!.body].join('\n\n');
}

const namesOf = (packages: readonly Package[]): string =>
	packages.map(({name, version, license}) => `${name} ${version}${license === undefined ? '' : ` (${license})`}`).join('\n');

type LockedPackages = Readonly<Record<string, {readonly integrity?: string}>>;

/**
Returns packages as a software bill of materials, for programs that look for known vulnerabilities: JSON of CycloneDX 1.6
(https://cyclonedx.org/docs/1.6/json/), with the names that `npm sbom` uses.

@param root - the folder of the project.
*/
export async function billOfMaterials(packages: readonly LicensedPackage[], root: string): Promise<string> {
	const readJson = async (name: string): Promise<unknown> => JSON.parse(await readFile(path.join(root, name), 'utf8'));
	const own = (await readJson('package.json')) as Package;
	const lock = (await readJson('package-lock.json')) as {readonly packages: LockedPackages};
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
}

const toComponent = (type: 'application' | 'library', {name, version, license}: Package) => ({
	type,
	'bom-ref': `${name}@${version}`,
	name,
	version,
	licenses: licensesOf(license),
	// A package URL (https://github.com/package-url/purl-spec), in which only the @ of a scope needs escaping.
	purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
});

const licensesOf = (license: string | undefined) =>
	license === undefined ? [] : [/\s/.test(license) ? {expression: license} : {license: {id: license}}];

/** Those of the archive that npm installed, as the lock has them (https://w3c.github.io/webappsec-subresource-integrity/). */
function hashesOf({folder}: LicensedPackage, locked: LockedPackages) {
	// Where `node_modules` is a link, esbuild names the place that it leads to.
	const {integrity = ''} = locked[folder.slice(folder.indexOf('node_modules/'))] ?? {};
	return [...integrity.matchAll(/(?<name>sha\d+)-(?<content>[\w+/=]+)/g)].map(({groups}) => ({
		alg: algorithms[groups!['name']!]!,
		content: Buffer.from(groups!['content']!, 'base64').toString('hex'),
	}));
}

/** The names of CycloneDX for the hashes of npm. */
const algorithms: Readonly<Record<string, string>> = {sha1: 'SHA-1', sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512'};
