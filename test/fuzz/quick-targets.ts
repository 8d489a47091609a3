import {assert} from '../helpers/node.ts';
import {readPythonTokens} from '../../source/bundle/python-tokens.ts';
import {cleanText} from '../../source/interface/clean-text.ts';
import {decodeList} from '../../source/interface/lists.ts';
import {parseFilter, searchTextOf} from '../../source/interface/filter.ts';
import type {Random, Targets} from './targets.ts';

const escapes = ['\u{1B}', '\u{1B}[', '\u{1B}]52;c;', '\u{1B}[200~', '\u{1B}[201~', '\u{1B}[A', '\u{9B}', '\u{7}', '\u{202E}'];
const fragments = [...escapes, '日', '👩‍👩‍👧', 'é', 'a', ' ', '\r', '\n', '\0', '\u{D800}', '{', '"', '[', 'null', '1'];

const randomText = (random: Random): string =>
	Array.from({length: random(30)}, () =>
		random(3) === 0 ? String.fromCodePoint(random(0x11_00_00)) : fragments[random(fragments.length)]!,
	).join('');

function randomValue(random: Random, depth = 0): unknown {
	switch (random(depth > 4 ? 5 : 7)) {
		case 0: {
			return null;
		}

		case 1: {
			return random(2) === 0;
		}

		case 2: {
			return random(1000) - 10;
		}

		case 5: {
			return Array.from({length: random(5)}, () => randomValue(random, depth + 1));
		}

		case 6: {
			const names = [
				'id',
				'installed_cap_id',
				'name',
				'enabled',
				'results',
				'data',
				'next',
				'capabilities',
				'trigger_words',
				'last_updated',
				'__proto__',
			];
			return Object.fromEntries(Array.from({length: random(6)}, () => [names[random(names.length)], randomValue(random, depth + 1)]));
		}

		default: {
			return randomText(random);
		}
	}
}

const hidden = /[\p{Control}\u{200B}\u{200E}\u{200F}\u{202A}-\u{202E}\u{2066}-\u{2069}\u{FEFF}]/u;

/** What reads text and bytes from outside, each a matter of milliseconds. */
export const quickTargets: Targets = {
	'any body decodes to clean records or to no list'(random) {
		for (const resource of ['agents', 'abilities', 'installed'] as const) {
			const list = decodeList(resource, randomValue(random));
			for (const record of list?.records ?? []) {
				assert.ok(Number.isSafeInteger(record.id));
				assert.notEqual(record.name, '');
				assert.doesNotMatch(record.name, hidden);
			}
		}
	},
	'any filter line is read'(random) {
		const {allows, match: fitOf, highlight} = parseFilter(randomText(random));
		const name = cleanText(randomText(random));
		const text = searchTextOf({name});
		allows({name}, () => text);
		assert.equal(fitOf(text, true) === undefined && fitOf(text, false) !== undefined, false);
		assert.ok([...highlight(true).matchPositions(name)].every(place => place < name.length));
	},
	async 'a name in code is where it was read, whatever is around it'(random) {
		const pieces = [
			'"',
			"'",
			'"""',
			'f"',
			"rf'''",
			'{',
			'}',
			'{{',
			'\\',
			'\n',
			'\r\n',
			'#',
			':',
			'!',
			'(',
			')',
			'import ',
			'abc',
			'.',
			'1',
			'\u{FEFF}',
		];
		const code = Array.from({length: random(60)}, () => (random(8) === 0 ? randomText(random) : pieces[random(pieces.length)])).join('');
		const lines = code.replace(/^\u{FEFF}/u, '').split(/\r\n|\r|\n/);
		for (const {kind, text, line, column} of readPythonTokens(code)) {
			assert.ok(kind !== 'name' || lines[line - 1]!.slice(column).normalize('NFKC').startsWith(text), JSON.stringify(code));
		}
	},
};
