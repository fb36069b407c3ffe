/**
 * Fetches recorded markets into a database: from a service, a public archive, or an exchange that ccxt knows.
 *
 * Invariants: running it again continues where it ended, without a duplicate and without a lost row; what the source
 * does not have is reported, and marked in tapes of trades.
 */
import { MACHINE_CLOCKS, machineRandom, type MachineClocks } from '../../adapter/live/machine-clocks.ts'
import { lengthMsOf } from '../../domain/candle-length.ts'
import { InputError } from '../../domain/errors.ts'
import { isoTime } from '../../domain/time.ts'
import type { TapeHead } from '../../store/tapes/blocks/stored-market.ts'
import type { MarkedGap } from '../../tape/gap-marks.ts'
import { LiveLoop } from '../../runtime/live/live-loop.ts'
import { version } from '../../runtime/version.ts'
import type { ArchiveSource } from './archive-source.ts'
import { type CandlePages, fetchCandles } from './fetch-candles.ts'
import { CLOCK_SKEW_MS, type FetchProgress, FetchWorld, type TimeRange } from './fetch-world.ts'
import { FetchedTape } from './fetched-tape.ts'

export type FetchSource =
  | { readonly type: 'service'; readonly url: string }
  | { readonly type: 'archive'; readonly archive: ArchiveSource }
  /** An exchange of ccxt. `url` replaces the host of its addresses; packages are looked for from `cwd`. */
  | { readonly type: 'ccxt'; readonly id: string; readonly url: string | undefined; readonly cwd: string }

export interface FetchOptions {
  readonly source: FetchSource
  /** BASE_QUOTE. */
  readonly symbols: readonly string[]
  /** Length of candles, such as `1m`; undefined for no candles. */
  readonly candles?: string | undefined
  readonly trades?: boolean | undefined
  /** Unix milliseconds, inclusive; optional for the trades of a service. */
  readonly from?: number | undefined
  /** Unix milliseconds, exclusive; default: now. */
  readonly to?: number | undefined
  /** Database file. */
  readonly db: string
  /** Default: those of the machine. */
  readonly clocks?: MachineClocks | undefined
  /** Returns numbers in [0, 1). */
  readonly random?: (() => number) | undefined
  readonly signal?: AbortSignal | undefined
  readonly onWarning?: ((text: string) => void) | undefined
  readonly onProgress?: ((progress: FetchProgress & { readonly tape: TapeHead }) => void) | undefined
  /** Called when rows of a tape were stored, also before a failure. */
  readonly onStored?: (() => void) | undefined
}

/** Result of one tape. */
export interface FetchReport {
  readonly symbol: string
  readonly kind: 'trades' | 'candles'
  /** Milliseconds of a candle; null for trades. */
  readonly intervalMs: number | null
  /** Rows added now. */
  readonly imported: number
  /** Rows that were downloaded again, and were stored already. */
  readonly duplicate: number
  /** All rows of the tape, and its first and last time in Unix milliseconds; null without rows. */
  readonly rows: number
  readonly first: number | null
  readonly last: number | null
  /** Periods of the requested range that the source does not have, oldest first. */
  readonly missing: readonly MarkedGap[]
}

/**
 * @returns one result per tape, candles before trades
 * @throws {InputError} for a wrong option, a market that the source does not have, and a file that is damaged
 * @throws {ExchangeError} if the source cannot be used; what was fetched before is stored
 * @throws {AbortError} if `signal` aborts; what was fetched before is stored
 */
export async function fetchHistory(options: FetchOptions): Promise<readonly FetchReport[]> {
  const { source, clocks = MACHINE_CLOCKS, random = machineRandom } = options
  checkRange(options)
  const loop = new LiveLoop(clocks, {
    onJump: () => undefined,
    onSetBack: () => undefined,
    onError: (error) => {
      throw error
    },
  })
  const world = new FetchWorld(loop, random, options)
  try {
    if (source.type === 'service') return await fromService(source.url, options, world, random)
    if (source.type === 'archive') return await fromArchive(source.archive, options, world)
    return await fromCcxt(source, options, world)
  } finally {
    loop.stop()
  }
}

function checkRange({ candles, trades = false, from, to }: FetchOptions): void {
  if (candles === undefined && !trades) throw new InputError('--candles', 'expected --candles 1m, --trades, or both')
  if (from !== undefined && to !== undefined && from >= to)
    throw new InputError('--to', `expected a time after --from, ${isoTime(from)}, got ${isoTime(to)}`)
}

async function fromService(
  url: string,
  options: FetchOptions,
  world: FetchWorld,
  random: () => number,
): Promise<readonly FetchReport[]> {
  const { ServiceHistory } = await import('./fetch-service.ts')
  const service = new ServiceHistory(url, world, random)
  try {
    const reports: FetchReport[] = []
    for (const symbol of options.symbols) {
      const market = await service.market(symbol)
      if (options.candles !== undefined) {
        const now = await service.now(symbol)
        const pages = service.candlePages(market, lengthMsOf(options.candles), now)
        reports.push(await fetchedCandles(symbol, pages, options, world))
      }
      if (options.trades !== true) continue
      reports.push(
        await withTape(headOf(symbol, null), options, world, (tape) => service.fetchTrades(tape, market, options)),
      )
    }
    return reports
  } finally {
    await service.close()
  }
}

async function fromArchive(
  archive: ArchiveSource,
  options: FetchOptions,
  world: FetchWorld,
): Promise<readonly FetchReport[]> {
  const { fetchArchive } = await import('./fetch-archive.ts')
  const reports: FetchReport[] = []
  for (const symbol of options.symbols) {
    for (const intervalMs of intervalsOf(options)) {
      const head = headOf(symbol, intervalMs)
      const until = Math.min(options.to ?? Number.MAX_SAFE_INTEGER, world.time.now() - CLOCK_SKEW_MS)
      const step = intervalMs ?? 1
      const range = { from: Math.ceil(startOf(options) / step) * step, to: Math.floor(until / step) * step }
      const run = (tape: FetchedTape): Promise<readonly MarkedGap[]> =>
        fetchArchive(tape, archive, range, {
          world,
          onProgress: (each) => options.onProgress?.({ ...each, tape: head }),
        })
      reports.push(await withTape(head, options, world, run))
    }
  }
  return reports
}

async function fromCcxt(
  source: FetchSource & { readonly type: 'ccxt' },
  options: FetchOptions,
  world: FetchWorld,
): Promise<readonly FetchReport[]> {
  if (options.candles === undefined || options.trades === true)
    throw new InputError('--trades', 'through ccxt only candles can be fetched: pass --candles 1h')
  const { CcxtHistory } = await import('./fetch-ccxt.ts')
  const history = await CcxtHistory.open(source, world)
  const reports: FetchReport[] = []
  for (const symbol of options.symbols) {
    const pages = await history.candlePages(symbol, options.candles)
    reports.push(await fetchedCandles(symbol, pages, options, world))
  }
  return reports
}

/** Null is for trades. */
const intervalsOf = ({ candles, trades }: FetchOptions): readonly (number | null)[] => [
  ...(candles === undefined ? [] : [lengthMsOf(candles)]),
  ...(trades === true ? [null] : []),
]

const headOf = (symbol: string, intervalMs: number | null): TapeHead => ({
  symbol,
  kind: intervalMs === null ? 'trades' : 'candles',
  intervalMs,
  hasConditions: false,
})

function startOf({ from }: FetchOptions): number {
  if (from !== undefined) return from
  throw new InputError('--from', 'expected the start of the history, such as --from 2024-01-01')
}

function fetchedCandles(
  symbol: string,
  pages: CandlePages,
  options: FetchOptions,
  world: FetchWorld,
): Promise<FetchReport> {
  const intervalMs = lengthMsOf(options.candles ?? '')
  const head = headOf(symbol, intervalMs)
  // A candle that closes later is not complete yet.
  const lastOpen = pages.closedBy - intervalMs
  const up = (time: number): number => Math.ceil(time / intervalMs) * intervalMs
  const range: TimeRange = {
    from: up(startOf(options)),
    to: Math.min(
      up(options.to ?? Number.MAX_SAFE_INTEGER),
      Math.floor(lastOpen / intervalMs) * intervalMs + intervalMs,
    ),
  }
  return withTape(head, options, world, async (tape) => {
    const onProgress = (each: FetchProgress): void => options.onProgress?.({ ...each, tape: head })
    await fetchCandles(tape, pages, range, { world, onProgress })
    return tape.coverage(range).missing('the source has no candles')
  })
}

async function withTape(
  head: TapeHead,
  { db, onStored }: FetchOptions,
  { time }: FetchWorld,
  fetch: (tape: FetchedTape) => Promise<readonly MarkedGap[]>,
): Promise<FetchReport> {
  const tape = FetchedTape.open({ db, head, version: version(), now: () => time.now() })
  try {
    const missing = await fetch(tape)
    const { symbol, kind, intervalMs } = head
    const stored = tape.market(({ entries }) => ({
      rows: entries.reduce((sum, { rows }) => sum + rows, 0),
      first: entries[0]?.first ?? null,
      last: entries.at(-1)?.last ?? null,
    }))
    return {
      symbol,
      kind,
      intervalMs,
      imported: tape.imported,
      duplicate: tape.duplicates,
      ...(stored ?? { rows: 0, first: null, last: null }),
      missing,
    }
  } finally {
    if (tape.imported > 0) onStored?.()
    tape.close()
  }
}
