/*
Reads Python as its own tokenizer does (the reference's chapter “Lexical analysis”), as far as the checks of an ability need it: names apart
from strings and comments, and the code within f-strings. It never fails: text that is not Python gives some kind of tokens.
*/

export type PythonToken = {
	/** `unclosed` is the start of a string that does not end. */
	readonly kind: 'name' | 'number' | 'string' | 'comment' | 'operator' | 'newline' | 'unclosed';
	/** As Python reads it: a string without its quotes, an f-string empty. An operator has one character. */
	readonly text: string;
	/** From 1. */
	readonly line: number;
	/** From 0, in UTF-16 units. */
	readonly column: number;
};

type Place = Pick<PythonToken, 'line' | 'column'>;

/** The code of the file, or of a replacement field of an f-string. */
type Code = {readonly kind: 'code'; readonly isField: boolean; depth: number};

/** The text of an f-string, or the format of one of its fields. */
type Text = {readonly kind: 'text'; readonly quote: string; readonly isRaw: boolean; readonly isFormat: boolean; readonly start: Place};

const space = /[ \t\f]+|\\\n/y;
const comment = /#[^\n]*/y;
const stringStart = /(?<prefix>[bfrtu]{0,2})(?<quote>"""|'''|"|')/iy;
const name = /[_\p{ID_Start}]\p{ID_Continue}*/uy;
const number = /0[box][\da-f_]+|\d[\d_]*(?:\.(?!\w)|\.\d[\d_]*)?(?:e[+-]?\d[\d_]*)?j?/iy;
const plainText = /[^"'{}\\\n]+/y;
const namedCharacter = /\\N\{[^}\n"']*\}/y;

/** The next end of a string, or a character that hides or prevents an end; by the quote. */
const stringStops = new Map([
	['"', /["\\\n]/g],
	["'", /['\\\n]/g],
	['"""', /"""|\\/g],
	["'''", /'''|\\/g],
]);

class PythonReader {
	readonly tokens: PythonToken[] = [];
	readonly #source: string;
	/** The enclosing code and texts of the current place, outermost first. */
	readonly #open: Array<Code | Text> = [{kind: 'code', isField: false, depth: 0}];
	#at = 0;
	#line = 1;
	#lineStart = 0;
	#lineEnd: number;

	constructor(source: string) {
		this.#source = source;
		this.#lineEnd = this.#findLineEnd();
	}

	readAll(): void {
		while (this.#at < this.#source.length) {
			const inner = this.#open.at(-1)!;
			if (inner.kind === 'code') {
				this.#readCode(inner);
			} else {
				this.#readText(inner);
			}
		}

		const text = this.#open.find(each => each.kind === 'text');
		if (text !== undefined) {
			this.tokens.push({kind: 'unclosed', text: '', ...text.start});
		}

		this.#add('newline', '');
	}

	#place(): Place {
		return {line: this.#line, column: this.#at - this.#lineStart};
	}

	#add(kind: PythonToken['kind'], text: string): void {
		this.tokens.push({kind, text, ...this.#place()});
	}

	#match(pattern: RegExp): RegExpExecArray | undefined {
		pattern.lastIndex = this.#at;
		return pattern.exec(this.#source) ?? undefined;
	}

	#findLineEnd(): number {
		const end = this.#source.indexOf('\n', this.#lineStart);
		return end === -1 ? Infinity : end;
	}

	#moveTo(end: number): void {
		while (this.#lineEnd < end) {
			this.#line++;
			this.#lineStart = this.#lineEnd + 1;
			this.#lineEnd = this.#findLineEnd();
		}

		this.#at = end;
	}

	#readCode(code: Code): void {
		const skipped = this.#match(space);
		if (skipped !== undefined) {
			this.#moveTo(this.#at + skipped[0].length);
			return;
		}

		const started = this.#match(stringStart)?.groups;
		if (started !== undefined) {
			this.#readString(started['prefix']!.toLowerCase(), started['quote']!);
			return;
		}

		for (const [kind, pattern] of [
			['comment', comment],
			['name', name],
			['number', number],
		] as const) {
			const found = this.#match(pattern)?.[0];
			if (found !== undefined) {
				// Names of different forms may be equal (the reference, “Identifiers and keywords”).
				this.#add(kind, kind === 'name' ? found.normalize('NFKC') : found);
				this.#moveTo(this.#at + found.length);
				return;
			}
		}

		this.#readOperator(code, this.#source[this.#at]!);
	}

	#readOperator(code: Code, character: string): void {
		const isOutermost = code.isField && code.depth === 0;
		if (character === '\n') {
			if (!code.isField && code.depth === 0) {
				this.#add('newline', '');
			}
		} else if (isOutermost && character === '}') {
			this.#open.pop();
		} else if (isOutermost && character === ':') {
			const {quote, isRaw, start} = this.#open.at(-2) as Text;
			this.#open.push({kind: 'text', quote, isRaw, isFormat: true, start});
		} else {
			code.depth = Math.max(0, code.depth + ('([{'.includes(character) ? 1 : ')]}'.includes(character) ? -1 : 0));
			this.#add('operator', character);
		}

		this.#moveTo(this.#at + 1);
	}

	#readString(prefix: string, quote: string): void {
		const start = this.#place();
		this.#moveTo(this.#at + prefix.length + quote.length);
		if (/[ft]/.test(prefix)) {
			this.tokens.push({kind: 'string', text: '', ...start});
			this.#open.push({kind: 'text', quote, isRaw: prefix.includes('r'), isFormat: false, start});
			return;
		}

		const stops = stringStops.get(quote)!;
		for (let at = this.#at; ; ) {
			stops.lastIndex = at;
			const stop = stops.exec(this.#source);
			if (stop?.[0] !== '\\') {
				const isClosed = stop?.[0] === quote;
				const end = stop?.index ?? this.#source.length;
				this.tokens.push({kind: isClosed ? 'string' : 'unclosed', text: this.#source.slice(this.#at, end), ...start});
				this.#moveTo(isClosed ? end + quote.length : end);
				return;
			}

			at = stop.index + 2;
		}
	}

	#readText({quote, isRaw, isFormat, start}: Text): void {
		const rest = this.#match(plainText) ?? (isRaw ? undefined : this.#match(namedCharacter));
		if (rest !== undefined) {
			this.#moveTo(this.#at + rest[0].length);
			return;
		}

		const character = this.#source[this.#at]!;
		const isDoubled = !isFormat && this.#source[this.#at + 1] === character;
		if (this.#source.startsWith(quote, this.#at)) {
			this.#closeText();
			this.#moveTo(this.#at + quote.length);
		} else if (character === '\n' && quote.length === 1) {
			// The newline belongs to the enclosing code.
			this.tokens.push({kind: 'unclosed', text: '', ...start});
			this.#closeText();
		} else if (character === '{' && !isDoubled) {
			this.#open.push({kind: 'code', isField: true, depth: 0});
			this.#moveTo(this.#at + 1);
		} else if (character === '}' && isFormat) {
			// The format ends, and with it its field.
			this.#open.splice(-2);
			this.#moveTo(this.#at + 1);
		} else {
			// A backslash hides a quote or a newline, even in a raw string, but not a brace.
			const isPair = character === '\\' ? !/[{}]/.test(this.#source[this.#at + 1] ?? '{') : /[{}]/.test(character) && isDoubled;
			this.#moveTo(Math.min(this.#at + (isPair ? 2 : 1), this.#source.length));
		}
	}

	/** Leaves the current string, with its fields and formats that end too early. */
	#closeText(): void {
		const isString = (each: Code | Text): boolean => each.kind === 'text' && !each.isFormat;
		this.#open.splice(this.#open.findLastIndex(each => isString(each)));
	}
}

/** Returns the tokens of a Python file; the last one is a `newline`. */
export function readPythonTokens(source: string): readonly PythonToken[] {
	const reader = new PythonReader(source.replace(/^\u{FEFF}/u, '').replaceAll(/\r\n?/g, '\n'));
	reader.readAll();
	return reader.tokens;
}
