/**
 * `papertape parity`, once its flags are read.
 */
import { InputError } from '../../domain/errors.ts'
import { escapeControls } from '../../domain/escape-controls.ts'
import { isoTime } from '../../domain/time.ts'
import { readableCount } from '../../report/readable.ts'
import { hangingLines } from '../../report/terminal-text.ts'
import { marketWords, type LineDifference, type ParityDifference } from '../../runtime/parity/compare-logs.ts'
import { parity, portfolioParity, type ParityProgress, type ParityResult } from '../../server/parity/parity.ts'
import { configOfFlags } from '../backtest/backtest-flags.ts'
import { io } from '../cli-io.ts'
import type { FlagValues } from '../cli-command.ts'
import { backtestSettings, type BacktestConfig } from '../config/backtest-config.ts'
import { readConfigFile } from '../config/config-file.ts'
import { single, type FlagText } from '../option-values.ts'
import { optionsOf, portfolioOptionsOf } from '../backtest/backtest-options-of.ts'
import { consoleToStderr } from '../console-to-stderr.ts'
import { EXIT } from '../exit-code.ts'

/** A line is written for each of so many parts of the tape. */
const PARTS = 100

const WIDTH = 80

/** The outcome of a parity run, for people. */
function parityText({ strategy, counts, difference, marketData, failure }: ParityResult): string {
  const { request, order, fill } = counts
  const verdict =
    difference === undefined
      ? [
          ...wrapped(
            `equal: ${strategy}, ${readableCount(request, 'request')}, ${readableCount(fill, 'fill')}, ` +
              `${readableCount(order, 'order state')}, ${readableCount(counts.balances, 'balance')}`,
          ),
        ]
      : differenceLines(difference)
  const threw = failure === undefined ? [] : wrapped(`the strategy threw: ${failure}`)
  return [...verdict, ...threw, ...marketLines(difference, marketData)].map((line) => `${line}\n`).join('')
}

const differenceLines = ({ cause, time, why, ...lines }: ParityDifference): readonly string[] => [
  `different: ${cause}`,
  ...hangingLines(`  at ${isoTime(time)}: `, why, WIDTH, 4),
  ...bothLines(lines),
]

/** Different market data is shown as a cause, and also if it had no effect. */
function marketLines(
  difference: ParityDifference | undefined,
  marketData: LineDifference | undefined,
): readonly string[] {
  if (marketData === undefined || (difference !== undefined && difference.cause !== 'market data')) return []
  const head =
    difference === undefined
      ? `the strategy received different market data, without an effect: ${marketWords(marketData)}`
      : 'the first market data that differs'
  return [...wrapped(head), `  at ${isoTime(marketData.time)}`, ...bothLines(marketData)]
}

const wrapped = (text: string): readonly string[] => hangingLines('', text, WIDTH, 2)

/** The logs' own lines, which are not broken. */
const bothLines = ({ inProcess, live }: Pick<LineDifference, 'inProcess' | 'live'>): readonly string[] => [
  `  in process  ${printable(inProcess)}`,
  `  live        ${printable(live)}`,
]

const printable = (line: string | undefined): string => (line === undefined ? '(no line)' : escapeControls(line))

/** @returns the exit code */
export async function compareAndShow(strategy: string | undefined, values: FlagValues): Promise<number> {
  consoleToStderr(io.stderr)
  const flags = configOfFlags(strategy, values)
  const { json = false, quiet = false } = flags
  const isShown = !json && !quiet && io.stderr.isTTY
  const config = single('--config', values.config as FlagText)
  const results = await compared({ strategy, config }, flags, progressOf(isShown === true))
  if (isShown) io.stderr.write('\r\u001b[K')
  for (const warning of results[0]?.warnings ?? []) io.stderr.write(`live: ${warning}\n`)
  for (const result of results) {
    if (json) io.stdout.write(`${JSON.stringify(result)}\n`)
    else if (!quiet || result.difference !== undefined) io.stdout.write(parityText(result))
  }
  return results.every(({ difference }) => difference === undefined) ? EXIT.done : EXIT.failed
}

/** The named strategy, or those of the config file on one wallet. */
async function compared(
  { strategy, config }: { readonly strategy: string | undefined; readonly config: string | undefined },
  flags: BacktestConfig,
  onProgress: (progress: ParityProgress) => void,
): Promise<readonly ParityResult[]> {
  if (strategy !== undefined && config !== undefined)
    throw new InputError('--config', 'is for the list of strategies: leave out the strategy, or --config')
  if (strategy !== undefined) {
    const { tapes, params, paramTexts, ...others } = optionsOf({}, flags)
    return [await parity({ ...others, strategy, tapes, params, paramTexts, onProgress })]
  }
  const { strategies, ...file } = backtestSettings(await readConfigFile(config))
  if (strategies === undefined) {
    const why = 'missing strategy: give a file, a name from `papertape strategies`, or a list in the config file'
    throw new InputError('parity', why)
  }
  return await portfolioParity({ ...portfolioOptionsOf(file, strategies, flags), onProgress })
}

function progressOf(isShown: boolean): (progress: ParityProgress) => void {
  let shown = 0
  return ({ time, from, to }) => {
    const part = Math.floor((PARTS * (time - from)) / Math.max(1, to - from))
    if (!isShown || part <= shown) return
    shown = part
    io.stderr.write(`\r\u001b[K${isoTime(time)} ${part} %`)
  }
}
