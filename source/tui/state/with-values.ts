/** The object with these values; the same object if it has them already, so that nothing is drawn for them. */
export const withValues = <Value extends object>(before: Value, values: Partial<Value>): Value => {
	const names = Object.keys(values) as Array<keyof Value & string>;
	return names.every(name => Object.hasOwn(before, name) && Object.is(before[name], values[name])) ? before : {...before, ...values};
};
