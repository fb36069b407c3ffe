/** A word of a command as a shell takes it. */
export const shellQuoted = (word: string): string =>
  /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
