/** The account that is used if none is named. */
export const defaultAccount = 'default';
