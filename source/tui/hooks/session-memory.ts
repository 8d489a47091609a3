/** A typed key of a session's memory: the object itself is the key. */
export type MemoryKey<Value> = {
	/** Makes the value when it is first asked for. */
	readonly create: () => Value;
};

/** What screens keep for as long as a session lives, such as a form that was left half filled in. */
export type SessionMemory = {
	get<Value>(key: MemoryKey<Value>): Value;
};

export const createSessionMemory = (): SessionMemory => {
	const values = new Map<MemoryKey<unknown>, unknown>();
	return {
		get<Value>(key: MemoryKey<Value>): Value {
			if (!values.has(key)) {
				values.set(key, key.create());
			}

			return values.get(key) as Value;
		},
	};
};
