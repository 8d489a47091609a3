/** A count with its thousands apart: 1,400. Not with `Intl`, which takes its time to load. */
export const formatCount = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
