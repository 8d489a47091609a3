/** Goes to the start of the line of the terminal and clears the line. */
export const clearLine = '\r\u{1B}[K';
