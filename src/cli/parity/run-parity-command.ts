/**
 * `papertape parity`, once its flags are read.
 */
import { InputError } from '../../domain/errors.ts'
import { isoTime } from '../../domain/time.ts'
import { parity } from '../../server/parity/parity.ts'
import { configOfFlags } from '../backtest/backtest-flags.ts'
import { io } from '../cli-io.ts'
import type { FlagValues } from '../flag-values.ts'
import { optionsOf } from '../backtest/backtest-options-of.ts'
import { consoleToStderr } from '../console-to-stderr.ts'
import { EXIT } from '../exit-code.ts'
import { parityText } from './parity-output.ts'

/** A line is written for each of so many parts of the tape. */
const PARTS = 100

/** @returns the exit code */
export async function compareAndShow(strategy: string | undefined, values: FlagValues): Promise<number> {
  consoleToStderr(io.stderr)
  if (strategy === undefined)
    throw new InputError('parity', 'missing strategy: give a file, or a name from `papertape strategies`')
  const config = configOfFlags(strategy, values)
  const { json = false, quiet = false } = config
  const { tapes, params, paramTexts, ...others } = optionsOf({}, config)
  const isShown = !json && !quiet && io.stderr.isTTY
  let shown = 0
  const result = await parity({
    ...{ ...others, strategy, tapes, params, paramTexts },
    onProgress: ({ time, from, to }) => {
      const part = Math.floor((PARTS * (time - from)) / Math.max(1, to - from))
      if (!isShown || part <= shown) return
      shown = part
      io.stderr.write(`\r\u001b[K${isoTime(time)} ${part} %`)
    },
  })
  if (isShown) io.stderr.write('\r\u001b[K')
  for (const warning of result.warnings) io.stderr.write(`live: ${warning}\n`)
  if (json) io.stdout.write(`${JSON.stringify(result)}\n`)
  else if (!quiet || result.difference !== undefined) io.stdout.write(parityText(result))
  return result.difference === undefined ? EXIT.done : EXIT.failed
}
