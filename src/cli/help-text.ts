/**
 * Help as it is printed.
 */

const NARROWEST = 40
const WIDEST = 100
const UNKNOWN = 80

/** Columns of a help text. @param columns  of the terminal; undefined where there is none */
export const helpWidth = (columns: number | undefined): number =>
  columns === undefined || columns === 0 ? UNKNOWN : Math.max(NARROWEST, Math.min(WIDEST, columns))

const TYPES = / *\[(?:string|boolean|array)\](?: \[required\])?(?: \[default: \[\]\])?$/

/** Behind the flags; what stands there is our own text. */
const END = /^(?:Examples:|Parameters of )/

/** As yargs lays it out, without the types of flags, which say no more than their text does. */
export function helpText(text: string): string {
  const lines = text.split('\n')
  const found = lines.findIndex((line) => END.test(line))
  const end = found === -1 ? lines.length : found
  return [...lines.slice(0, end).flatMap(untyped), ...lines.slice(end)].join('\n')
}

function untyped(line: string): readonly string[] {
  const rest = line.replace(TYPES, '').trimEnd()
  return rest === '' && line.trim() !== '' ? [] : [rest]
}
