/**
 * `papertape verify`, once its argument is read: the verdict on a run that was run again.
 */
import { join } from 'node:path'
import { printable } from '../report/terminal-text.ts'
import { verify } from '../run/verify.ts'
import { version } from '../runtime/version.ts'
import { EXIT } from './exit-code.ts'
import type { Shown } from './thread/thread-messages.ts'

export async function verifyRun(directory: string): Promise<Shown> {
  const { digest, difference, strangers, ranBy } = await verify(directory)
  const told = strangers.map(
    (name) => `${printable(join(directory, name))}: is no file of a run, and is not compared\n`,
  )
  if (difference === undefined) return { code: EXIT.done, stdout: `verified: ${digest}\n`, stderr: told.join('') }
  const versions =
    ranBy === undefined || ranBy === version() ? '' : `\nit was run by papertape ${ranBy}, and this is ${version()}`
  return { code: EXIT.failed, stdout: '', stderr: `${told.join('')}${difference}${versions}\n` }
}
