/** Numbers that look random and are the same in every run. Source: the generator known as mulberry32. */
export function createRandom(seed: number): (limit: number) => number {
	let state = seed;
	return limit => {
		state += 0x6d_2b_79_f5;
		/* eslint-disable no-bitwise -- The generator is made of these. */
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		const fraction = ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_00_00_00_00;
		/* eslint-enable no-bitwise */
		return Math.floor(fraction * limit);
	};
}
