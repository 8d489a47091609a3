/** Keys that act whatever lies above the screen: leave, draw again, suspend. */
export const isProgramKey = (name: string): boolean => ['ctrl+c', 'ctrl+l', 'ctrl+z'].includes(name);
