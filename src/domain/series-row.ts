/** A row of a run's own data: its time, and its other cells as they are written in the file. */

/**
 * The time in Unix milliseconds, and the text of each cell, such as `'40'` or `'0.125'`; undefined if it is empty.
 *
 * @typeParam Column  names of the columns, without that of the time
 */
export type SeriesRow<Column extends string = string> = { readonly timestamp: number } & Readonly<
  Record<Exclude<Column, 'timestamp'>, string | undefined>
>
