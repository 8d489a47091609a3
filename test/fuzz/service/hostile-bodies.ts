import {Buffer} from 'node:buffer';
import type {DocumentedOperation, Schema} from '../../helpers/openapi-operations.ts';
import type {Random} from '../targets.ts';
import {type Ids, pick, randomFields, randomText} from './hostile-values.ts';
import {randomZip, soundZip} from './hostile-zips.ts';

/** What is wrong with a body. */
export type BodyOddities = {readonly hasOddFields: boolean; readonly hasOddZip: boolean; readonly isBroken: boolean};

export type Body = {readonly type: string; readonly content: Buffer};

const brokenJson = [
	'',
	'null',
	'[]',
	'5',
	String.raw`"\ud800"`,
	'{"enabled":',
	'{"enabled": true} {"enabled": false}',
	'{"enabled": true, "enabled": "no"}',
	'{"__proto__": {"enabled": true}}',
	'{"constructor": {"prototype": {"enabled": true}}}',
	'\u{FEFF}{"enabled": true}',
	'['.repeat(100_000),
	`{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
	`{"enabled": ${'1'.repeat(5000)}}`,
	'{"enabled": true, "a": "\u{0}"}',
	String.raw`{"enabled": true, "name": "\u0000", "description": "\udfff"}`,
	' '.repeat(1_100_000),
].map(text => Buffer.from(text));

const notUtf8 = Buffer.concat([Buffer.from('{"enabled": true, "name": "'), Buffer.from([0xed, 0xa0, 0x80, 0xff, 0xc0]), Buffer.from('"}')]);

const oddPartLines = [
	'Content-Type: application/octet-stream',
	'Content-Type: text/plain; charset=utf-16le',
	'Content-Type: application/json',
	'Content-Type: text/plain; charset=nonsense',
	'Content-Transfer-Encoding: base64',
	': empty',
	`X-Long: ${'x'.repeat(90_000)}`,
];

const oddFileNames = ['', '../../x', 'a\0b', '日本.zip', 'a'.repeat(3000)];

const oddFormTypes = [
	'multipart/form-data',
	'multipart/form-data; boundary=',
	'multipart/form-data; boundary=y',
	'multipart/form-data; boundary="x',
	`multipart/form-data; boundary=${'b'.repeat(500)}`,
	'multipart/mixed; boundary=x',
];

const oddTypes = [
	'',
	'text/plain',
	'application/xml',
	'application/json; charset=utf-16',
	'application/x-www-form-urlencoded',
	'multipart/form-data',
	'json',
	';;;',
	'application/json, text/plain',
	`a/${'b'.repeat(5000)}`,
];

type Parts = {readonly key: string; readonly ids: Ids};

/** A body for the operation, with what is to be wrong with it; `undefined` if it takes none. */
export function randomBody(random: Random, {bodies, path}: DocumentedOperation, parts: Parts, oddities: BodyOddities): Body | undefined {
	const types = Object.entries(bodies);
	if (oddities.isBroken && (types.length === 0 || random(5) === 0)) {
		return {type: pick(random, oddTypes), content: pick(random, [...brokenJson, notUtf8, Buffer.from(randomText(random))])};
	}

	if (types.length === 0) {
		return undefined;
	}

	const [type, schema] = pick(random, types);
	return type === 'application/json'
		? jsonBody(random, schema, parts, oddities)
		: formBody(random, schema, path.includes('{') ? '' : 'lamps/', parts, oddities);
}

function jsonBody(random: Random, schema: Schema, {ids, key}: Parts, {hasOddFields, isBroken}: BodyOddities): Body {
	const fields = randomFields(random, schema, ids, hasOddFields);
	// Most bodies with a key have the right one: only then the rest is looked at.
	const withKey = {...fields, ...('api_key' in fields && random(4) > 0 && {api_key: key})};
	return {type: 'application/json', content: isBroken ? pick(random, [...brokenJson, notUtf8]) : Buffer.from(JSON.stringify(withKey))};
}

function formBody(random: Random, schema: Schema, folder: string, {ids}: Parts, {hasOddFields, hasOddZip, isBroken}: BodyOddities): Body {
	const fields = Object.entries(randomFields(random, schema, ids, hasOddFields));
	const parts = fields.flatMap(([name, value]) => {
		const isBinary = schema.properties?.[name]?.format === 'binary';
		const isFile = isBroken && random(10) === 0 ? !isBinary : isBinary;
		const file = name === 'zip_file' ? (hasOddZip ? randomZip(random, folder) : soundZip(folder)) : Buffer.from(String(value), 'latin1');
		// In a form a list is a field for each of its values.
		const values = isFile ? [file] : [Array.isArray(value) ? value : [value]].flat().map(each => formBytes(random, each));
		const written = values.map(content => Buffer.concat([partHead(random, name, isFile, isBroken), content, Buffer.from('\r\n')]));
		return isBroken && random(10) === 0 ? [...written, ...written] : written;
	});
	const whole = Buffer.concat([...parts, Buffer.from(isBroken && random(6) === 0 ? '' : '--x--\r\n')]);
	return {
		type: isBroken && random(4) === 0 ? pick(random, oddFormTypes) : 'multipart/form-data; boundary=x',
		content: isBroken && random(3) === 0 ? whole.subarray(0, random(whole.length + 1)) : whole,
	};
}

/** Text as a form sends it. Half of the lone surrogates arrive as the three bytes that some encoders make of them. */
function formBytes(random: Random, value: unknown): Buffer {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return random(2) === 0
		? Buffer.from(text)
		: Buffer.concat([...text].map(character => (character.isWellFormed() ? Buffer.from(character) : Buffer.from([0xed, 0xa0, 0x80]))));
}

function partHead(random: Random, name: string, isFile: boolean, isOdd: boolean): Buffer {
	const fileName = isFile ? `; filename="${isOdd ? pick(random, oddFileNames) : 'a.zip'}"` : '';
	const lines = [
		'--x',
		`Content-Disposition: form-data; name="${name.replaceAll(/[\n\r"]/g, '')}"${fileName}`,
		...(isOdd && random(3) === 0 ? [pick(random, oddPartLines)] : []),
	];
	return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
}
