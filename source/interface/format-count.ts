/** A count with its thousands apart: 1,400. Not with `Intl`, which takes its time to load. */
export const formatCount = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');

/** A count with its noun, whose plural takes an s: 1 record, 1,400 records. */
export const counted = (count: number, noun: string): string => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
