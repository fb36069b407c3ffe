/**
 * Scenarios of recorded candles as text, one candle or request a line, with what comes of it behind `|`.
 *
 * ```
 * == title with every 60 s; spread 2; latency 0 s; fills tape 60 candle 100 110 90 105 x 1000    | 2 gets 1 @ 101; 1
 * gets 3 @ 95 61 1 buys 3 @ 95                  # a limit order; without a price at market; `stop 110` a stop; `for 2`
 * excludes order 2 90 cancels 1
 * ```
 * Times in seconds. What a candle comes to is written behind it: at its open, then `;`, then in its body.
 */
import type { CandleTerms } from '../../../../src/simulation/candles/candle-terms.ts'
import type { NaiveCandle, NaiveFill, NaiveOptions, NaiveRequest } from './naive-candles.ts'

export interface CandleScenario {
  readonly title: string
  readonly options: NaiveOptions
  readonly fills: CandleTerms['fills']
  readonly candles: readonly NaiveCandle[]
  readonly requests: readonly NaiveRequest[]
  /** As written: `time: what` in seconds, each fill for itself. */
  readonly expected: readonly string[]
}

const STRICTNESS = { tape: 1, through: 2, touch: 0, ideal: 1 } as const

export function candleScenarios(text: string): readonly CandleScenario[] {
  const [, ...parts] = text.split(/^== /m)
  return parts.map(scenarioOf)
}

function scenarioOf(part: string): CandleScenario {
  const [title = '', ...rest] = part.split('\n')
  const lines = rest.map((line) => line.replace(/#.*/, '').replaceAll(/ +/g, ' ').trim()).filter((line) => line !== '')
  const head = lines.filter((line) => line.startsWith('with ')).join('; ')
  const fills = wordAfter(head, 'fills') ?? 'tape'
  if (!isModel(fills)) throw new Error(`no model '${fills}'`)
  const interval = 1_000 * numberAfter(head, 'every', 60)
  const spread = wordAfter(head, 'spread')
  const options = { interval, latency: 1_000 * numberAfter(head, 'latency', 0), strictness: STRICTNESS[fills] }
  const candles: NaiveCandle[] = []
  const requests: NaiveRequest[] = []
  const expected: string[] = []
  for (const line of lines.filter((each) => !each.startsWith('with '))) {
    const [what = '', outcome = ''] = line.split('|').map((each) => each.trim())
    const request = requestOf(what)
    if (request !== undefined) requests.push(request)
    else if (what !== 'end') candles.push(candleOf(what))
    const time = candles.at(-1)?.time ?? 0
    const [atOpen = '', inBody = ''] = outcome.split(';')
    if (what === 'end') expected.push(...reported('end', outcome))
    else
      expected.push(...reported(String(time / 1_000), atOpen), ...reported(String((time + interval) / 1_000), inBody))
  }
  return {
    title,
    fills,
    candles,
    requests,
    expected,
    options: spread === undefined ? options : { ...options, spread: Number(spread) },
  }
}

const isModel = (name: string): name is keyof typeof STRICTNESS => name in STRICTNESS

const wordAfter = (text: string, word: string): string | undefined => new RegExp(`\\b${word} ([^ ;]+)`).exec(text)?.[1]

const numberAfter = (text: string, word: string, otherwise: number): number =>
  Number(wordAfter(text, word) ?? otherwise)

/** `1 takes 3 @ 101, 2 @ 102; ...`: one text each. */
const reported = (time: string, text: string): readonly string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && each !== '-')
    .map((each) => `${time}: ${each}`)

function candleOf(text: string): NaiveCandle {
  const found = /^(\d+) candle (\d+) (\d+) (\d+) (\d+) x (\d+)$/.exec(text)
  if (found === null) throw new Error(`no candle and no request: '${text}'`)
  const [time = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = found.slice(1).map(Number)
  return { time: time * 1_000, open, high, low, close, volume }
}

function requestOf(text: string): NaiveRequest | undefined {
  const cancel = /^(\d+) cancels (\d+)$/.exec(text)
  if (cancel !== null) return { at: Number(cancel[1]) * 1_000, cancel: Number(cancel[2]) }
  const found = /^(\d+) (\d+) (buys|sells) (\d+)(?: @ (\d+)| stop (\d+))?(?: for (\d+))?$/.exec(text)
  if (found === null) return undefined
  const [, at, id, word, qty, limit, stop, target] = found
  const order = {
    id: Number(id),
    at: Number(at) * 1_000,
    side: word === 'buys' ? 'BUY' : 'SELL',
    qty: Number(qty),
  } as const
  if (limit !== undefined) return { ...order, type: 'LIMIT', price: Number(limit) }
  if (stop === undefined) return { ...order, type: 'MARKET' }
  const stopped = { ...order, type: 'STOP', price: Number(stop) } as const
  return target === undefined ? stopped : { ...stopped, oco: Number(target) }
}

/** In the form of what is expected, in the order of time; lots of an order at one price are one. */
export function asWritten(fills: readonly NaiveFill[]): readonly string[] {
  const lots = new Map<string, number>()
  for (const fill of fills) {
    const time = fill.time === null ? 'end' : String(fill.time / 1_000)
    const key = 'refused' in fill ? `${time}: ${fill.id} NONE` : `${time}: ${fill.id} @ ${fill.price}`
    lots.set(key, (lots.get(key) ?? 0) + ('refused' in fill ? 0 : fill.qty))
  }
  const text = ([key, qty]: readonly [string, number]): string =>
    key.endsWith('NONE') ? key.replace('NONE', 'finds nothing') : key.replace(' @', ` gets ${qty} @`)
  return [...lots].map(text).sort()
}
