import {readFileSync} from 'node:fs';
import {SourceMap, type SourceMapPayload} from 'node:module';
import path from 'node:path';

/*
The runner finds the lines of the sources for the few stack traces that it prints. Where Node.js does so itself, each process of tests reads the maps of all
modules that it loads, which takes a fifth of the time of its start.
*/

const maps = new Map<string, SourceMap | undefined>();

/**
Replaces the lines of bundles by those of the sources, wherever a text names them as a stack trace does.

@param text - such as `at test (file:///…/lists.test.mjs:10:7)`.
*/
export function withSourceLines(text: string): string {
	return text.replaceAll(
		/(?:file:\/\/)?(?<file>\/[^\s():]+\.mjs):(?<line>\d+):(?<column>\d+)/g,
		(place, file: string, ...rest: readonly string[]) => {
			const entry = mapOf(file)?.findEntry(Number(rest[0]) - 1, Number(rest[1]) - 1);
			return entry !== undefined && 'originalSource' in entry
				? `${path.resolve(path.dirname(file), entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
				: place;
		},
	);
}

function mapOf(file: string): SourceMap | undefined {
	if (!maps.has(file)) {
		try {
			maps.set(file, new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload));
		} catch {
			maps.set(file, undefined);
		}
	}

	return maps.get(file);
}
