/**
 * Fill bounds: a run with the most pessimistic fills, with the model, and with the most optimistic fills. A strategy
 * that is profitable only with the most optimistic fills is not profitable.
 *
 * Trades alone do not show the queue ahead of an order: `through` and `touch`. A recorded book does not show who
 * cancels: `book` assumes that orders after ours cancel, `book-prorata` any in the queue.
 * Known limitation: the models bound fills, one order at a time. The equity may lie outside, because a strategy may end
 * better with fewer fills, and one that reacts to its fills sends other orders.
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
 * @param reference  the model of the run
 * @param hasBook    whether a market of it has a recorded book
 */
export function boundsOf(reference: string, hasBook: boolean): readonly BoundName[] {
  if (!hasBook || !followsBook(reference)) return OF_TRADES
  return BOOK_MODELS.filter((name) => name !== 'book-power' || name === reference)
}

/** True for a run in whose markets a book is played. */
const hasBooks = ({ books }: PreparedBacktest): boolean => books.length > 0

/** Result of a run with one model. */
export interface BoundingRun {
  /** Decimal string. */
  readonly finalEquity: string
  /** Fills of resting orders by the market: their number, and their quantity as decimal strings by symbol. */
  readonly makerFills: number
  readonly makerQty: Readonly<Record<string, string>>
}

/** Results by bounding model, in order; null if the strategy failed with it. */
export type LiquidityBounds = Readonly<Partial<Record<BoundName, BoundingRun | null>>>

/** Another thread for bounding runs, one at a time. */
export interface BoundsElsewhere {
  /** @returns as `boundingRun`; undefined if it cannot run there, so that it must run here */
  run(prepared: PreparedBacktest, name: BoundName): Promise<BoundingRun | null | undefined>
  /** Runs one here without the strategy's output, which the run before has shown. */
  quietly<T>(action: () => Promise<T>): Promise<T>
}

/** A bounding run that was started elsewhere before the run itself had ended. */
export interface BegunBound {
  readonly name: BoundName
  /** Result of `BoundsElsewhere.run`. */
  readonly done: Promise<BoundingRun | null | undefined>
}

/** Starts the first bounding run in parallel; its result is needed once a resting order was filled. */
export function beginBound(prepared: PreparedBacktest, elsewhere: BoundsElsewhere): BegunBound | undefined {
  const { reference } = prepared.liquidity
  const name = boundsOf(reference, hasBooks(prepared)).find((each) => each !== reference)
  return name && { name, done: elsewhere.run(prepared, name) }
}

const SILENT: SimulatedRunListener = {
  onOrder: () => undefined,
  onFill: () => undefined,
  onLog: () => undefined,
}

/**
 * Repeats a backtest with the other bounding models. Undefined if no resting order was filled.
 * @param elsewhere  takes some of the runs; the result is the same without it
 * @param begun      a run that it has already started
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
  // The other thread first: it starts immediately, if it did not before.
  await Promise.all([elsewhere && work(async (name) => there(name)), work(here)])
  // Runs that were not possible elsewhere.
  await work(here)
  return Object.fromEntries(names.map((name) => [name, runs.get(name) ?? null]))
}

async function runAgain(
  prepared: PreparedBacktest,
  name: BoundName,
  signal: AbortSignal | undefined,
): Promise<BoundingRun | null> {
  // Reloaded, so that module state does not carry over from the run before; a given strategy object is reused.
  const loaded = (await prepared.loaded.again?.()) ?? prepared.loaded
  return boundingRun({ ...prepared, loaded }, name, signal)
}

/** @returns null if the strategy failed */
export async function boundingRun(
  prepared: PreparedBacktest,
  name: BoundName,
  signal?: AbortSignal,
): Promise<BoundingRun | null> {
  const choice = { reference: name, ...liquidity(name), sha256: null }
  const { figures, failure } = await runBacktest({ ...prepared, liquidity: choice }, SILENT, signal, { isDrawn: false })
  return failure === undefined ? runOf(figures) : null
}

const runOf = ({ equity, quality }: AccountFigures): BoundingRun => ({
  finalEquity: formatTrimmed(equity.equity(), equity.scale),
  makerFills: quality.makerFills,
  makerQty: quality.makerQty,
})
