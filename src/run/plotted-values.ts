/** The plotted values of a run as CSV, whichever file of the run has them. */
import { closeSync, existsSync, openSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { InputError } from '../domain/errors.ts'
import { writeFault } from '../domain/write-fault.ts'
import { plotBlocks, plotRowsOf } from '../report/run/plot-blocks.ts'
import { PLOTS_HEADER, plotRow } from '../report/run/run-files.ts'
import { removePartial } from '../store/remove-partial.ts'
import { textPieces } from '../store/runs/line-reader.ts'
import { settleRunDirectory } from '../store/runs/run-directory.ts'
import { sealFaults } from '../store/runs/run-seal.ts'
import { checkThere } from './run-file.ts'

const PIECE = 1 << 16

/**
 * @param path  of a new file, outside of the run directory
 * @returns     deviations from the files as written by the run, in words
 * @throws {InputError} if there is no run, if its file is damaged, or if the new file exists or cannot be written
 */
export function writePlottedValues(directory: string, path: string): readonly string[] {
  settleRunDirectory(directory)
  checkThere(directory)
  checkOutside(directory, path)
  const faults = sealFaults(directory, ['run.json', 'plots.csv', 'plot-blocks.csv'])
  if (existsSync(path)) throw new InputError(path, 'exists already: use another file')
  // It gets its name when it is complete, even if the process is killed.
  const partial = `${path}.${process.pid}.partial`
  try {
    const file = openSync(partial, 'w')
    try {
      for (const text of plotTexts(directory)) writeFileSync(file, text)
    } finally {
      closeSync(file)
    }
    renameSync(partial, path)
  } catch (error) {
    removePartial(partial)
    throw error instanceof InputError ? error : writeFault(path, 'cannot be written', error)
  }
  return faults.map(({ name, message }) => `${join(directory, name)}: ${message}`)
}

function checkOutside(directory: string, path: string): void {
  const parent = dirname(path)
  if (!existsSync(parent)) return
  const [first] = relative(realpathSync(directory), realpathSync(parent)).split(/[\\/]/)
  if (first === '..' || (first !== undefined && /^[A-Za-z]:$/.test(first))) return
  throw new InputError(path, 'is in the run directory, which has only files of the run: use a path outside of it')
}

function* plotTexts(directory: string): Generator<string> {
  const [csv, blocks] = [join(directory, 'plots.csv'), join(directory, 'plot-blocks.csv')]
  if (existsSync(csv)) return yield* textPieces(csv)
  let text = PLOTS_HEADER
  if (existsSync(blocks)) {
    for (const { time, name, value } of plotRowsOf(plotBlocks(blocks, textPieces(blocks)))) {
      text += plotRow(String(time), name, value)
      if (text.length < PIECE) continue
      yield text
      text = ''
    }
  }
  yield text
}
