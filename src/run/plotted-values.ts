/** The plotted values of a run as CSV, whichever file of the run has them. */
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeFault } from '../domain/write-fault.ts'
import { plotBlocks, plotRowsOf } from '../report/run/plot-blocks.ts'
import { PLOTS_HEADER, plotRow } from '../report/run/run-files.ts'
import { textPieces } from '../store/runs/line-reader.ts'
import { settleRunDirectory } from '../store/runs/run-directory.ts'
import { checkThere } from './run-file.ts'

const PIECE = 1 << 16

/**
 * @param path  of a new file
 * @throws {InputError} if there is no run, if its file is damaged, or if the new file exists or cannot be written
 */
export function writePlottedValues(directory: string, path: string): void {
  settleRunDirectory(directory)
  checkThere(directory)
  let file: number
  try {
    file = openSync(path, 'wx')
  } catch (error) {
    throw writeFault(path, 'cannot be written', error)
  }
  try {
    for (const text of plotTexts(directory)) writeFileSync(file, text)
  } finally {
    closeSync(file)
  }
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
