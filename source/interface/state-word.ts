/** The state of an installed ability in a word, as tables and screens show it; `?` if the service doesn't show it. */
export const stateWord = (isEnabled: boolean | undefined): string => isEnabled === undefined ? '?' : (isEnabled ? 'on' : 'off');
