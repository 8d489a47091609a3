/** The name of a service without a profile: its address and key came from the environment or an option. */
export const unnamedProfile = 'environment';
