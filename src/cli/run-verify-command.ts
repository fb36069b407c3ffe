/**
 * `papertape verify`, once its argument is read: the verdict on a run that was run again.
 */
import { join } from 'node:path'
import { printable } from '../report/terminal-text.ts'
import { verify } from '../run/verify.ts'
import { version } from '../runtime/version.ts'
import { consoleToStderr } from './console-to-stderr.ts'
import { EXIT } from './exit-code.ts'

/** @returns the exit code */
export async function verifyRun(directory: string): Promise<number> {
  consoleToStderr()
  const { digest, difference, strangers, ranBy } = await verify(directory)
  for (const name of strangers) {
    process.stderr.write(`${printable(join(directory, name))}: is no file of a run, and is not compared\n`)
  }
  if (difference === undefined) {
    process.stdout.write(`verified: ${digest}\n`)
    return EXIT.done
  }
  const versions =
    ranBy === undefined || ranBy === version() ? '' : `\nit was run by papertape ${ranBy}, and this is ${version()}`
  process.stderr.write(`${difference}${versions}\n`)
  return EXIT.failed
}
