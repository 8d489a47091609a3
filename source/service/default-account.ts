/** The account that is meant where none is named. */
export const defaultAccount = 'default';
