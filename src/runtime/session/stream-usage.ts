/** Market streams that a strategy requested and the number of their values, to explain why a strategy never ordered. */
import type { Observable } from 'rxjs'
import type { StrategyContext } from '../../strategy/context.ts'
import { CountedStream } from '../../strategy/counted-stream.ts'
import { HotStream } from '../../strategy/hot-stream.ts'
import type { WarmupNeed } from '../../strategy/warmup.ts'

export interface UsedStream {
  /** The call that requested it: `candles('BTC_USD', '1m')`. */
  readonly name: string
  /** Number of emitted values; null for a derived stream. */
  readonly values: number | null
  /** False if the strategy was no longer subscribed at the end; null for a derived stream. */
  readonly isHeard: boolean | null
  /** Symbol and interval of a single market's candle stream, as requested. */
  readonly candles?: { readonly symbol: string; readonly interval: string }
}

/** Candles of which a strategy has received fewer than it needs before it can act. */
export interface AwaitedInput {
  readonly symbol: string
  readonly interval: string
  readonly seen: number
  readonly needed: number
}

/** A strategy's data usage and activity, as far as its session knows. */
export interface StrategyUsage {
  readonly streams: readonly UsedStream[]
  /** Number of emitted intents. */
  readonly intents: number
  /** Number of their quantities and limit prices that were rounded. */
  readonly rounded: number
  /** Unix milliseconds at which its intent stream completed; null if it did not. */
  readonly completedAt: number | null
}

/** A stream, and the call that requested it. */
interface Asked {
  readonly stream: Observable<unknown>
  readonly word: string
  readonly args: readonly unknown[]
}

/** Candles of one market. */
interface CountedCandles {
  readonly stream: CountedStream<unknown>
  readonly symbol: string
  readonly interval: string
}

type Context = StrategyContext<Readonly<Record<string, unknown>>>

export class StreamUsage {
  readonly #streams = new Map<string, Asked>()
  readonly #candles = new Map<string, CountedCandles>()

  /** The same context, with requests recorded. */
  noting(context: Context): Context {
    const { trades, tickers, quotes } = context
    const candles = (...args: unknown[]): Observable<unknown> => {
      const stream = Reflect.apply(context.candles, undefined, args) as Observable<unknown>
      this.#note('candles', args, stream)
      return typeof args[0] === 'string' ? this.#counted(args, stream) : stream
    }
    return {
      ...context,
      trades: (symbol) => this.#note('trades', [symbol], trades(symbol)),
      tickers: (symbol) => this.#note('tickers', [symbol], tickers(symbol)),
      quotes: (symbol) => this.#note('quotes', [symbol], quotes(symbol)),
      series: (name, ...columns) => this.#note('series', [name], context.series(name, ...columns)),
      depth: (...args) => this.#note('depth', args, context.depth(...args)),
      candles: candles as unknown as Context['candles'],
    }
  }

  report(): readonly UsedStream[] {
    return [...this.#streams].map(([name, { stream, word, args }]) => {
      const [symbol, interval] = args
      const isOfCandles = word === 'candles' && typeof symbol === 'string' && typeof interval === 'string'
      const candles = isOfCandles ? { candles: { symbol, interval } } : {}
      return stream instanceof HotStream
        ? { name, values: stream.count, isHeard: stream.isWatched, ...candles }
        : { name, values: null, isHeard: null, ...candles }
    })
  }

  /** @param needs  declared by the strategy; its indicators declare their own */
  awaited(needs: readonly WarmupNeed[]): readonly AwaitedInput[] {
    return [...this.#candles.values()].flatMap(({ stream, symbol, interval }) => {
      const declared = needs.find(({ length }) => length === interval)?.count ?? 0
      const [seen, needed] = [stream.count, Math.max(stream.expected, declared)]
      return seen < needed ? [{ symbol, interval, seen, needed }] : []
    })
  }

  #counted(args: readonly unknown[], stream: Observable<unknown>): Observable<unknown> {
    const key = args.map(argumentText).join(', ')
    const known = this.#candles.get(key)
    if (known !== undefined) return known.stream
    const [symbol, interval] = args.map(String)
    const counted = new CountedStream(stream)
    this.#candles.set(key, { stream: counted, symbol: symbol ?? '', interval: interval ?? '' })
    return counted
  }

  #note<Stream extends Observable<unknown>>(word: string, args: readonly unknown[], stream: Stream): Stream {
    const name = `${word}(${args.map(argumentText).join(', ')})`
    if (!this.#streams.has(name)) this.#streams.set(name, { stream, word, args })
    return stream
  }
}

const argumentText = (value: unknown): string =>
  typeof value === 'string' ? `'${value}'` : Array.isArray(value) ? `[${value.map(argumentText).join(', ')}]` : '...'
