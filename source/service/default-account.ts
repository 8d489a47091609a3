/** The account that is used by default. */
export const defaultAccount = 'default';
