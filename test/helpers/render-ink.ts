import process from 'node:process';
import type {ReactElement} from 'react';
import {render} from 'ink-testing-library';

// The library's terminal has no rows. Without a size from here Ink would start programs to find one for each frame.
process.env['COLUMNS'] ??= '100';
process.env['LINES'] ??= '24';

/** Renders with Ink to the terminal of its testing library. */
export const renderInk = (element: ReactElement): ReturnType<typeof render> => render(element);
