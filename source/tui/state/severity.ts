/** How serious a text is: `warning` if something needs care, `error` if something failed. */
export type Severity = 'info' | 'warning' | 'error';

/** Marks a problem without colour, on the screen and for screen readers. */
export const problemMark = '!';

/** The style of the theme for each severity. */
export const severityTone = {info: 'secondary', warning: 'warning', error: 'error'} as const satisfies Readonly<Record<Severity, string>>;

/** A text that begins with the mark of its severity. */
export const withMark = (severity: Severity, text: string): string => severity === 'info' ? text : `${problemMark} ${text}`;
