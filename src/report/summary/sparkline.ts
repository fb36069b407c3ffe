/** A series as one line of blocks, ▁ the lowest value and █ the highest. */
import { invariant } from '../../domain/errors.ts'

const BLOCKS = '▁▂▃▄▅▆▇█'
const FLAT = '▄'

/**
 * A sparkline with one block per column. A column shows the last of its share of the values, so the line ends where the
 * series ends.
 *
 * @param values  oldest first, finite; fewer than `width` are stretched
 * @param width   columns, a positive integer
 * @returns       `width` blocks, in the middle for a flat series; '' without values
 * @throws {InvariantError} if a value is not finite
 */
export function sparkline(values: readonly number[], width: number): string {
  invariant(values.every(Number.isFinite), 'a sparkline is of finite values')
  if (values.length === 0) return ''
  const columns = Array.from({ length: width }, (_, column) => lastOfColumn(values, column, width))
  const low = columns.reduce((least, value) => Math.min(least, value))
  const high = columns.reduce((most, value) => Math.max(most, value))
  return columns.map((value) => blockOf(value, low, high)).join('')
}

function lastOfColumn(values: readonly number[], column: number, width: number): number {
  const end = Math.ceil(((column + 1) * values.length) / width)
  const value = values[end - 1]
  invariant(value !== undefined, `no value for column ${column} of ${width}`)
  return value
}

function blockOf(value: number, low: number, high: number): string {
  if (high === low) return FLAT
  const level = Math.floor(((value - low) / (high - low)) * BLOCKS.length)
  return BLOCKS.charAt(Math.min(level, BLOCKS.length - 1))
}
