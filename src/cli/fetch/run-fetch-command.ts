/** `papertape fetch`, after its flags are parsed. */
import { lengthNameOf } from '../../domain/candle-length.ts'
import { AbortError, ExchangeError } from '../../domain/errors.ts'
import { isoTime } from '../../domain/time.ts'
import { readableCount, readableDuration } from '../../report/readable.ts'
import { printable, wrappedText } from '../../report/terminal-text.ts'
import { fetchHistory, type FetchReport } from '../../run/fetch/fetch.ts'
import type { FetchProgress } from '../../run/fetch/fetch-world.ts'
import type { TapeHead } from '../../store/tapes/blocks/stored-market.ts'
import type { MarkedGap } from '../../tape/gap-marks.ts'
import { drawProgress } from '../backtest/progress.ts'
import { columnsOf, io } from '../cli-io.ts'
import type { FlagValues } from '../cli-command.ts'
import { EXIT } from '../exit-code.ts'
import { printJson } from '../shared-flags.ts'
import { untilSignalled } from '../until-signalled.ts'
import { type FetchRequest, requestOf } from './fetch-request.ts'

/** Exit code of a shell for a command ended by Ctrl-C. */
const INTERRUPTED = 130
const REDRAW_MS = 100
/** Missing periods that are listed. */
const MAX_LISTED = 5
const MEGABYTE = 1024 * 1024

/**
 * Fetches, and prints the result.
 *
 * @returns the exit code
 * @throws {InputError} for an invalid argument
 * @throws {ExchangeError} if the source cannot be used
 */
export async function fetchMarkets(values: FlagValues): Promise<number> {
  const request = requestOf(values)
  let hasFetched = false as boolean
  const progress = request.isQuiet || request.isJson || !io.stderr.isTTY ? undefined : new ProgressLine()
  try {
    const tapes = await fetchHistory({
      ...request,
      random: Math.random,
      signal: untilSignalled(),
      onWarning: (message) => {
        progress?.clear()
        io.stderr.write(`${printable(message)}\n`)
      },
      onProgress: (each) => {
        hasFetched ||= (each.bytes ?? 0) > 0
        progress?.draw(each)
      },
      onStored: () => (hasFetched = true),
    })
    progress?.clear()
    if (request.isJson) printJson({ source: request.sourceName, db: request.db, tapes })
    else if (!request.isQuiet) print(tapes, request)
    return EXIT.done
  } catch (error) {
    progress?.clear()
    const isStopped = error instanceof AbortError
    if (isStopped) io.stderr.write(`stopped: ${hasFetched ? ENDED : 'nothing was fetched'}\n`)
    else if (error instanceof ExchangeError && hasFetched) io.stderr.write(`${ENDED}\n`)
    if (!isStopped) throw error
    return INTERRUPTED
  }
}

const ENDED = 'what was fetched is stored; run the same command again to continue'

function print(tapes: readonly FetchReport[], { db, sourceName }: FetchRequest): void {
  const [tape] = tapes.filter(({ rows }) => rows > 0)
  // Without it a run plays the trades.
  const length = tape?.kind !== 'candles' || tapes.length === 1 ? '' : ` --candle-interval ${lengthOf(tape)}`
  const next = `next: papertape backtest sma-cross --tape ${printable(db)} --symbol ${tape?.symbol ?? ''}${length}`
  // A command stays on one line, so that it can be copied.
  const lines = tapes
    .flatMap((each) => tapeLines(each, sourceName))
    .map((line) => wrappedText(line, columnsOf(io.stdout)))
  io.stdout.write(`${[...lines, ...(tape === undefined ? [] : [next])].join('\n')}\n`)
}

type Named = Pick<TapeHead, 'symbol' | 'kind' | 'intervalMs'>

const lengthOf = ({ intervalMs }: Named): string => lengthNameOf(intervalMs ?? 0) ?? ''

const nameOf = (tape: Named): string =>
  tape.intervalMs === null ? `${tape.symbol} ${tape.kind}` : `${tape.symbol} ${lengthOf(tape)} ${tape.kind}`

function tapeLines(report: FetchReport, source: string): readonly string[] {
  const { imported, duplicate, rows, first, last } = report
  const known = duplicate === 0 ? '' : `, ${duplicate.toLocaleString('en-US')} already stored`
  const stored =
    first === null || last === null
      ? 'no rows stored'
      : `${readableCount(rows, 'row')} stored, ${isoTime(first)} to ${isoTime(last)}`
  return [
    `${nameOf(report)} from ${printable(source)}: ${readableCount(imported, 'row')} fetched${known}`,
    `  ${stored}`,
    ...missingLines(report),
  ]
}

function missingLines({ missing, kind }: FetchReport): readonly string[] {
  if (missing.length === 0) return ['  nothing is missing']
  const length = missing.reduce((sum, { from, to }) => sum + to - from, 0)
  const more = missing.length - MAX_LISTED
  const [what, marked] =
    kind === 'trades' ? ['missing', '; those between trades are marked as gaps'] : ['without candles', '']
  return [
    `  ${readableCount(missing.length, 'period')} ${what}, ${readableDuration(length)} in all${marked}`,
    ...longestOf(missing).map(({ from, to, why }) => `    ${isoTime(from)} to ${isoTime(to)}: ${printable(why)}`),
    ...(more > 0 ? [`    ${more.toLocaleString('en-US')} more, not longer than these; --json lists all`] : []),
  ]
}

function longestOf(missing: readonly MarkedGap[]): readonly MarkedGap[] {
  const longest = missing.toSorted((one, other) => other.to - other.from - (one.to - one.from))
  return longest.slice(0, MAX_LISTED).toSorted((one, other) => one.from - other.from)
}

/** One line on the terminal, drawn again. */
class ProgressLine {
  #drawnAt = 0

  draw({ tape, done, all, unit, bytes }: FetchProgress & { readonly tape: TapeHead }): void {
    const now = Date.now()
    if (now - this.#drawnAt < REDRAW_MS) return
    this.#drawnAt = now
    const share = unit === 'files' ? `${done} of ${all} files` : `${Math.floor((done / Math.max(1, all)) * 100)} %`
    drawProgress(io.stderr, [
      [`fetching ${nameOf(tape)}`, 1],
      [share, 2],
      [bytes === undefined ? '' : `${(bytes / MEGABYTE).toFixed(1)} MB`, 0],
    ])
  }

  clear(): void {
    if (this.#drawnAt > 0) io.stderr.write('\r\u001b[K')
  }
}
