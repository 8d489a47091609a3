/** The text with its commands as someone types them who came over SSH, and has no `switchboard`. */
export const asTypedOverSsh = (text: string): string => text.replaceAll(/(?<![\w"'\-./“])switchboard (?=[-[a-z])/g, 'ssh HOST ');
