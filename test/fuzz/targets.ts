/** A whole number from 0 up to the limit, the same sequence for the same seed. */
export type Random = (limit: number) => number;

/** What must hold, as a sentence, and an attack on it with input made from the seed; it throws if it does not hold. */
export type Targets = Readonly<Record<string, (random: Random) => void | Promise<void>>>;
