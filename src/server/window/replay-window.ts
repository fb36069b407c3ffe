/**
 * The window of a run: its moments, its events and its markets, as the page asks for them.
 */
import { InputError } from '../../domain/errors.ts'
import type { ReplayedEvent, ReplayedMoment } from '../../report/replay/replayed-run.ts'
import type { ReplayedFiles } from '../../run/replayed-files.ts'
import { servePage, type PageServer } from './page-server.ts'
import { marketAt, type ReplayMarket } from './replay-market.ts'

/** A run as a whole. */
export interface ReplayWhole extends ReplayLength {
  /** Directory of its files. */
  readonly name: string
  readonly version: string
  readonly markets: readonly {
    readonly symbol: string
    readonly pricePrecision: number
    /** Lengths of candles to choose from, in milliseconds; none for a market without candles. */
    readonly lengths: readonly number[]
  }[]
  readonly equity: ReplayedFiles['equity']
  readonly faults: readonly string[]
}

/** How long a run is by now: one that still trades grows. */
export interface ReplayLength {
  /** Count of its events. */
  readonly length: number
  readonly fills: number
  /** Unix milliseconds of the first and of the last event. */
  readonly span: readonly [from: number, to: number]
  /** Why the recording is not shown; empty if it is. */
  readonly recording: string
}

/** A moment with the events shortly before and after it. */
export interface ReplayShown extends ReplayedMoment {
  /** Unix milliseconds of the moment, which may lie between two events. */
  readonly clock: number
  readonly events: readonly ReplayedEvent[]
  /** The previous and the next fill or refusal; undefined if there is none. */
  readonly stopBefore: number | undefined
  readonly stopAfter: number | undefined
  /** The market that the page looks at; undefined if the run has none of that name. */
  readonly market: ReplayMarket | undefined
}

const EVENTS_BEFORE = 12
const EVENTS_AFTER = 8

interface ReplayOptions {
  readonly port: number
  readonly name: string
  readonly version: string
}

/** @throws {InputError} when the port is taken, or the pages were not built */
export function serveReplay(files: ReplayedFiles, { port, name, version }: ReplayOptions): Promise<PageServer> {
  const { run, equity, faults } = files
  const length = (): ReplayLength => {
    files.update()
    return { length: run.length, fills: run.fills.length, span: run.span, recording: files.recording.state }
  }
  const markets = (): ReplayWhole['markets'] =>
    run.markets.map(({ symbol, pricePrecision }) => ({
      symbol,
      pricePrecision,
      lengths: files.candles.get(symbol)?.lengths ?? [],
    }))
  return servePage({
    port,
    page: 'replay',
    calls: {
      'GET whole': (): ReplayWhole => ({ ...length(), name, version, markets: markets(), equity, faults }),
      'GET length': length,
      'GET moment': (query) => shownAt(files, query),
    },
  })
}

type Query = Readonly<Record<string, string>>

async function shownAt(files: ReplayedFiles, query: Query): Promise<ReplayShown> {
  const { run } = files
  const { at = '', time, symbol, length = '0', since } = query
  const moment = run.moment(time === undefined ? wholeNumber('at', at) : run.atTime(wholeNumber('time', time)))
  const clock = time === undefined ? moment.time : Math.max(moment.time, Number(time))
  const { before, after } = run.stopsAround(moment.at)
  return {
    ...moment,
    clock,
    events: run.events(moment.at - EVENTS_BEFORE, moment.at + EVENTS_AFTER + 1),
    stopBefore: before,
    stopAfter: after,
    market:
      symbol === undefined
        ? undefined
        : await marketAt(files, {
            symbol,
            at: moment.at,
            clock,
            orders: moment.orders,
            length: wholeNumber('length', length),
            since: since === undefined ? undefined : wholeNumber('since', since),
          }),
  }
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new InputError(name, `expected a whole number, got '${text.slice(0, 40)}'`)
}
