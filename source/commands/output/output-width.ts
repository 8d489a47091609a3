import type {OutputStream} from '../../platform/standard-streams.ts';

const usualWidth = 80;

/** The width of an output in columns; of what is no terminal, or does not tell its width, the given one. */
export const outputWidth = ({columns = 0}: OutputStream, otherwise = usualWidth): number => columns > 0 ? columns : otherwise;
