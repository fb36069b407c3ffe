/**
 * Text of a file as an error message can hold it.
 */

const MAX_SHOWN = 80

/** At most 80 characters on one line, control characters escaped. */
export function shown(text: string): string {
  const start = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  return start.replace(/[\u0000-\u001f\u007f]/g, (character) => JSON.stringify(character).slice(1, -1))
}
