/**
 * Examples of what a route takes and answers, whole, for its description.
 */
export interface RouteExample {
  /** Bodies by name; more than one where there is more than one shape. */
  readonly bodies?: Readonly<Record<string, unknown>>
  /** Left out for a route that answers with nothing. */
  readonly answer?: unknown
  /** Of another status that is no error, by it. */
  readonly others?: Readonly<Record<number, unknown>>
}

/** By the id of the operation. */
export type RouteExamples = Readonly<Record<string, RouteExample>>
