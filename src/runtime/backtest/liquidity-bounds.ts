/**
 * A run under the fewest fills, the model, and the most fills: a strategy that lives only under the last is the result
 * to show.
 *
 * By trades alone nobody knows what is ahead of an order: `through` and `touch`. By a recorded book what is unknown is
 * who cancels: `book` has those who cancel stand behind us, `book-prorata` anywhere in the queue.
 *
 * Known limit: the models bound fills, one order at a time. The equity can lie outside, for a strategy can end better
 * with fewer fills, and one that reacts to its fills sends other orders.
 */
import { formatTrimmed } from '../../domain/fixed-point.ts'
import {
  BOOK_MODELS,
  followsBook,
  liquidity,
  type BookModelName,
  type LiquidityName,
} from '../../simulation/liquidity/liquidity-models.ts'
import type { AccountFigures } from '../figures/account-figures.ts'
import { runBacktest } from './backtest.ts'
import type { PreparedBacktest } from './prepared-backtest.ts'
import type { BacktestResult, SimulatedRunListener } from './simulated-run.ts'

/** From the fewest fills to the most. */
const OF_TRADES = ['through', 'tape', 'touch'] as const satisfies readonly LiquidityName[]

export type BoundName = (typeof OF_TRADES)[number] | BookModelName

/**
 * The models that bound the fills of a run, from the fewest to the most.
 *
 * @param reference  the model of the run
 * @param hasBook    the book of a market of it was recorded
 */
export function boundsOf(reference: string, hasBook: boolean): readonly BoundName[] {
  if (!hasBook || !followsBook(reference)) return OF_TRADES
  return BOOK_MODELS.filter((name) => name !== 'book-power' || name === reference)
}

/** True for a run in whose markets a book is played. */
const hasBooks = ({ books }: PreparedBacktest): boolean => books.length > 0

/** What a run came to under one model. */
export interface BoundingRun {
  /** Decimal string. */
  readonly finalEquity: string
  /** Fills of resting orders by the market: their count, and their quantity as decimal strings by symbol. */
  readonly makerFills: number
  readonly makerQty: Readonly<Record<string, string>>
}

/** By the models that bound the run, in their order; null where the strategy failed under one. */
export type LiquidityBounds = Readonly<Partial<Record<BoundName, BoundingRun | null>>>

/** Where bounding runs may be done beside this thread, one at a time. */
export interface BoundsElsewhere {
  /** @returns as `boundingRun`; undefined where it cannot be told, so that it has to be done here */
  run(prepared: PreparedBacktest, name: BoundName): Promise<BoundingRun | null | undefined>
  /** Does one here, without showing what its strategy prints: the run before has shown it. */
  quietly<T>(action: () => Promise<T>): Promise<T>
}

/** A bounding run that began elsewhere before the run itself was done. */
export interface BegunBound {
  readonly name: BoundName
  /** As of `BoundsElsewhere.run`. */
  readonly done: Promise<BoundingRun | null | undefined>
}

/** Begins the first bounding run of what is being run; once a resting order was filled, it is needed. */
export function beginBound(prepared: PreparedBacktest, elsewhere: BoundsElsewhere): BegunBound | undefined {
  const { reference } = prepared.liquidity
  const name = boundsOf(reference, hasBooks(prepared)).find((each) => each !== reference)
  return name && { name, done: elsewhere.run(prepared, name) }
}

const SILENT: SimulatedRunListener = {
  onOrder: () => undefined,
  onFill: () => undefined,
  onProgress: () => undefined,
  onLog: () => undefined,
}

/**
 * Runs the same backtest again under the models that it did not run under. Undefined when no resting order was filled.
 *
 * @param elsewhere  takes part of the runs; the result is the same without
 * @param begun      what it takes already
 */
export async function liquidityBounds(
  result: BacktestResult,
  signal?: AbortSignal,
  elsewhere?: BoundsElsewhere,
  begun?: BegunBound,
): Promise<LiquidityBounds | undefined> {
  const { prepared, figures, failure } = result
  if (figures.quality.makerFills === 0 || failure !== undefined) return undefined
  const runs = new Map<string, BoundingRun | null>([[prepared.liquidity.reference, runOf(figures)]])
  const names = boundsOf(prepared.liquidity.reference, hasBooks(prepared))
  const open = names.filter((name) => !runs.has(name))
  const work = async (run: (name: BoundName) => Promise<BoundingRun | null | undefined>): Promise<void> => {
    for (let name = open.shift(); name !== undefined; name = open.shift()) {
      const done = await run(name)
      if (done === undefined) {
        open.push(name)
        return
      }
      runs.set(name, done)
    }
  }
  const here = (name: BoundName): Promise<BoundingRun | null> => {
    const run = (): Promise<BoundingRun | null> => runAgain(prepared, name, signal)
    return elsewhere === undefined ? run() : elsewhere.quietly(run)
  }
  const there = (name: BoundName): Promise<BoundingRun | null | undefined> | undefined =>
    begun?.name === name ? begun.done : elsewhere?.run(prepared, name)
  // That of elsewhere first: it begins at once, if it did not before.
  await Promise.all([elsewhere && work(async (name) => there(name)), work(here)])
  // What could not be done elsewhere.
  await work(here)
  return Object.fromEntries(names.map((name) => [name, runs.get(name) ?? null]))
}

async function runAgain(
  prepared: PreparedBacktest,
  name: BoundName,
  signal: AbortSignal | undefined,
): Promise<BoundingRun | null> {
  // Loaded anew, so that nothing that the strategy's module remembers comes from the run before; one that a program gave is as it is.
  const loaded = (await prepared.loaded.again?.()) ?? prepared.loaded
  return boundingRun({ ...prepared, loaded }, name, signal)
}

/** @returns null when the strategy failed */
export async function boundingRun(
  prepared: PreparedBacktest,
  name: BoundName,
  signal?: AbortSignal,
): Promise<BoundingRun | null> {
  const choice = { reference: name, ...liquidity(name), sha256: null }
  const { figures, failure } = await runBacktest({ ...prepared, liquidity: choice }, SILENT, signal)
  return failure === undefined ? runOf(figures) : null
}

const runOf = ({ equity, quality }: AccountFigures): BoundingRun => ({
  finalEquity: formatTrimmed(equity.equity(), equity.scale),
  makerFills: quality.makerFills,
  makerQty: quality.makerQty,
})
