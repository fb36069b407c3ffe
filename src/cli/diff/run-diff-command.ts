/**
 * `papertape diff`, once its arguments are read: two run directories in, their comparison out.
 */
import { differenceText } from '../../report/run-difference/difference-text.ts'
import { runDifference } from '../../report/run-difference/run-difference.ts'
import { readComparedRun } from '../../run/compared-run-files.ts'
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'

export interface DiffFlags {
  readonly all: boolean
  readonly json: boolean
}

/** @returns the exit code */
export function reportDifference(a: string, b: string, { all, json }: DiffFlags): number {
  const difference = runDifference({ a: readComparedRun(a), b: readComparedRun(b) }, all)
  io.stdout.write(`${json ? JSON.stringify(difference) : differenceText(difference)}\n`)
  return difference.isSame ? EXIT.done : EXIT.failed
}
