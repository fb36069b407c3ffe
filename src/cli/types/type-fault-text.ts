/**
 * Type errors as text.
 */
import { relative } from 'node:path'
import { printable } from '../../report/terminal-text.ts'
import { io } from '../cli-io.ts'
import type { TypeFault } from './type-check.ts'

/**
 * A line for each, such as `mine.ts:3:7: Cannot find name 'clos'. Did you mean 'close'? (TS2552)`, and the innermost
 * reason.
 */
export const typeFaultsText = (faults: readonly TypeFault[]): string =>
  faults
    .map(({ file, line, column, code, message }) => {
      const [first = '', ...reasons] = message.split('\n').map((each) => printable(each.trim()))
      const head = `${printable(shortPath(file))}:${line}:${column}: ${first} (TS${code})\n`
      return [head, ...reasons.slice(-1).map((reason) => `  ${reason}\n`)].join('')
    })
    .join('')

/** From the folder of the process, unless that leads out of it. */
export function shortPath(file: string): string {
  const path = relative(io.cwd, file)
  return path === '' || path.startsWith('..') ? file : path
}
