/** A whole number from 0 up to the limit, the same sequence for the same seed. */
export type Random = (limit: number) => number;

/** What an attack did, for the report: the sums of all rounds are printed. */
export type Counts = Readonly<Record<string, number>>;

/** What must hold, as a sentence, and an attack on it with input made from the seed; it throws if it does not hold. */
export type Targets = Readonly<Record<string, (random: Random) => void | Counts | Promise<void | Counts>>>;
