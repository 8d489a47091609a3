/** A repeatable stream of numbers from 0 up to, but without, 1: the minimal standard generator of Park and Miller. */
export function createRandom(seed: number): () => number {
	const modulus = 2_147_483_647;
	let state = seed;
	return () => {
		state = (state * 48_271) % modulus;
		return state / modulus;
	};
}

/** The parts of hostile texts, beside any code unit at all. */
const fragments: readonly string[] = [
	['\u{1B}', '\u{1B}[', '\u{1B}]', '\u{1B}P', '\u{1B}\\', '\u{9B}', '\u{9D}', '\u{90}', '\u{9C}', '\u{7}'],
	['\u{18}', '\u{1A}', '31m', '2J', ';', '0;title', '52;c;aGk=', '8;;http://x', '?1049h', '\r', '\n', '\r\n'],
	['\t', '\v', '\f', '\b', '\u{7F}', '\u{85}', '\u{2028}', '\u{2029}', '\u{202E}', '\u{202A}', '\u{2066}'],
	['\u{2069}', '\u{200E}', '\u{200F}', '\u{61C}', '\u{200B}', '\u{200C}', '\u{200D}', '\u{2060}', '\u{FEFF}'],
	['\u{AD}', '\u{34F}', '\u{3164}', '\u{FE0F}', '\u{E0041}', '\u{E0101}', '\u{1BCA0}', '\u{1D173}', '\u{FFF9}'],
	['\u{FFFD}', '\u{301}', '\u{336}', '\u{20E3}', '\u{94D}', '\u{64B}', 'a', 'B', '7', ' ', '  ', 'é', 'क', 'ष'],
	['ب', 'ی', '한', '中', '👍', '🏽', '👨', '\u{D83D}', '\u{DC4D}', '-', "'", ','],
].flat();

/** A hostile text of so many parts. */
export function randomText(random: () => number, partCount: number): string {
	return Array.from({length: partCount}, () =>
		random() < 0.85 ? fragments[Math.floor(random() * fragments.length)] : String.fromCodePoint(Math.floor(random() * 0x1_10_00)),
	).join('');
}
