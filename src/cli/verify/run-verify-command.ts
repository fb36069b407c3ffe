/**
 * `papertape verify`, once its argument is read: the verdict on a run that was run again.
 */
import { join } from 'node:path'
import { printable } from '../../report/terminal-text.ts'
import { verify } from '../../run/verify.ts'
import { version } from '../../runtime/version.ts'
import { EXIT } from '../exit-code.ts'
import type { Shown } from '../thread/thread-messages.ts'

/** @param isJson  print the verdict as JSON; differences are printed on stderr as well */
export async function verifyRun(directory: string, isJson: boolean): Promise<Shown> {
  const { digest, difference, otherFiles, ranBy } = await verify(directory)
  const reported = otherFiles.map(
    (name) => `${printable(join(directory, name))}: not a file of the run, so it was not compared\n`,
  )
  const verdict = {
    isSame: difference === undefined,
    digest: digest ?? null,
    difference: difference ?? null,
    otherFiles,
    strangers: otherFiles,
    ranBy: ranBy ?? null,
  }
  const json = isJson ? `${JSON.stringify(verdict)}\n` : undefined
  if (difference === undefined)
    return { code: EXIT.done, stdout: json ?? `verified: ${digest}\n`, stderr: reported.join('') }
  const versions =
    ranBy === undefined || ranBy === version() ? '' : `\nthe run was made by papertape ${ranBy}; this is ${version()}`
  return { code: EXIT.failed, stdout: json ?? '', stderr: `${reported.join('')}${difference}${versions}\n` }
}
