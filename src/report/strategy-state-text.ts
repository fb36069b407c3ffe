/** The state that a strategy keeps, as text for people. */
import { readableCount } from './readable.ts'

/** A strategy may keep up to a megabyte. */
const MAX_CHARACTERS = 400

/** @param value  JSON */
export function strategyStateText(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > MAX_CHARACTERS
    ? `${text.slice(0, MAX_CHARACTERS)}... (${readableCount(text.length, 'character')})`
    : text
}
