/**
 * Text of a file in a form that a message can hold: on one line.
 *
 * Known limit: U+007F to U+009F, which JSON does not escape either, stay as they are.
 */

/** The most characters that an excerpt has before its control characters are escaped. */
const EXCERPT_CHARACTERS = 80

/** The same text with its control characters (U+0000 to U+001F) written as in JSON: a line feed is `\n`. */
export const escapeControls = (text: string): string =>
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  text.replace(/[\u0000-\u001f]/g, (character) => JSON.stringify(character).slice(1, -1))

/** The first 80 characters, control characters escaped; `...` says that there are more. */
export const escapedExcerpt = (text: string): string =>
  escapeControls(text.length > EXCERPT_CHARACTERS ? `${text.slice(0, EXCERPT_CHARACTERS)}...` : text)
