import {normalizeText} from './normalize-text.ts';

/** The same text for two names that count as one: names are looked up in any case (`CONTRACT.md`, Commands). */
export const foldName = (name: string): string => normalizeText(name).toLowerCase();
