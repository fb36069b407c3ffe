/** A series of a run, data of its strategy's own: the file that was given, and what it was found to have. */

/** A file with a series of a run, by the name that the strategy asks for. */
export interface SeriesSource {
  readonly name: string
  /** CSV or JSON, also compressed. */
  readonly file: string
}

export interface SeriesInfo extends SeriesSource {
  /** Lower-case hex SHA-256 of the file. */
  readonly sha256: string
  readonly rows: number
  /** Times of the first and the last row, Unix milliseconds. */
  readonly from: number
  readonly to: number
  /** Names of the columns, without that of the time. */
  readonly columns: readonly string[]
}
