/** Safe text for any thrown value (undefined, or an object whose getters throw). */

/** Message of an error, otherwise the value as text; never throws. */
export function thrownText(thrown: unknown): string {
  try {
    const text = thrown instanceof Error ? thrown.message : String(thrown)
    return typeof text === 'string' ? text : 'something that is no error'
  } catch {
    return 'an object that cannot be printed'
  }
}
