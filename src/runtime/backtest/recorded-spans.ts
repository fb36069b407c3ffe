/** The recordings that determine the beginning and end of a run. */

interface Recorded {
  readonly symbol: string
}

/** Its tapes, and the recorded books of markets without a tape. */
export const recordedSpans = <Tape extends Recorded, Book extends Recorded>({
  tapes,
  books = [],
}: {
  readonly tapes: readonly Tape[]
  readonly books?: readonly Book[] | undefined
}): readonly (Tape | Book)[] => [
  ...tapes,
  ...books.filter(({ symbol }) => !tapes.some((tape) => tape.symbol === symbol)),
]
