/** The object with these values; the same object if it has them already, so that nothing is drawn for them. */
export const withValues = <Value extends object>(before: Value, values: Partial<Value>): Value => {
	const known = new Map<string, unknown>(Object.entries(before));
	return Object.entries(values).every(([name, value]) => known.has(name) && Object.is(known.get(name), value)) ? before : {...before, ...values};
};
