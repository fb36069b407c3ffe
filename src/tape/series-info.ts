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

/** A series in the report of a run. In a session, the rows are those that were delivered. */
export interface SeriesReport extends SeriesInfo {
  /** Absolute path. */
  readonly path: string
  /** Number of wrong rows, which a session leaves out; undefined for none. */
  readonly leftOut?: number
}
