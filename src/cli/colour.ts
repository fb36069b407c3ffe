/** Colours of an output: a terminal gets them, unless NO_COLOR or TERM=dumb is set; FORCE_COLOR colours a pipe too. */
import { type CliOutput, io } from './cli-io.ts'

export function hasColour({ isTTY }: Pick<CliOutput, 'isTTY'>): boolean {
  const { NO_COLOR = '', FORCE_COLOR = '', TERM } = io.env
  if (NO_COLOR !== '') return false
  if (FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return isTTY === true && TERM !== 'dumb'
}
