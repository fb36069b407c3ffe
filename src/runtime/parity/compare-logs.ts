/**
 * Compares two sessions: finds the first difference, and its cause.
 *
 * Orders, fills, balances and answers are compared byte for byte. Market data is not, but a difference in it may cause
 * a strategy to act differently.
 */
import { isoTime } from '../../domain/time.ts'
import { LOG_KINDS, type LogKind, type LoggedLine, type SessionLog } from './session-log.ts'

/** Causes of a difference, in the words of the command. */
export type ParityCause = 'market data' | 'order' | 'refusal' | 'fill' | 'balance' | 'strategy'

export interface LineDifference {
  readonly kind: LogKind
  /** Unix milliseconds. */
  readonly time: number
  /** Lines at the same position; undefined for a side that has none there. */
  readonly inProcess: string | undefined
  readonly live: string | undefined
}

export interface ParityDifference extends LineDifference {
  readonly cause: ParityCause
  /** Explanation as text. */
  readonly why: string
}

export interface ParityComparison {
  /** First difference of orders, fills and balances; undefined if there is none. */
  readonly difference: ParityDifference | undefined
  /** First difference of the market data that the strategy received; undefined if there is none. */
  readonly marketData: LineDifference | undefined
}

export function compareLogs(inProcess: SessionLog, live: SessionLog): ParityComparison {
  const marketData = firstDifference('market-data', inProcess, live)
  // Within one moment the first kind causes those after it.
  const first = LOG_KINDS.filter((kind) => kind !== 'market-data')
    .flatMap((kind) => firstDifference(kind, inProcess, live) ?? [])
    .reduce<LineDifference | undefined>(
      (best, each) => (best !== undefined && best.time <= each.time ? best : each),
      undefined,
    )
  const difference = first && { ...first, ...causeOf(first, marketData) }
  return { difference, marketData }
}

function firstDifference(kind: LogKind, inProcess: SessionLog, live: SessionLog): LineDifference | undefined {
  const [ours, theirs] = [inProcess.lines(kind), live.lines(kind)]
  const isSame = (line: LoggedLine | undefined, index: number): boolean => line?.text === theirs[index]?.text
  const length = Math.max(ours.length, theirs.length)
  for (let index = 0; index < length; index += 1) {
    const [our, their] = [ours[index], theirs[index]]
    if (isSame(our, index)) continue
    const time = Math.min(our?.t ?? Number.POSITIVE_INFINITY, their?.t ?? Number.POSITIVE_INFINITY)
    return { kind, time, inProcess: our?.text, live: their?.text }
  }
  return undefined
}

type Cause = Pick<ParityDifference, 'cause' | 'why'>

function causeOf(difference: LineDifference, marketData: LineDifference | undefined): Cause {
  switch (difference.kind) {
    case 'market-data':
    case 'request':
      return causeOfRequest(difference, marketData)
    case 'answer':
      return causeOfAnswer(difference)
    case 'fill':
      return { cause: 'fill', why: 'the same orders were filled differently' }
    case 'order':
      return { cause: 'order', why: 'the same order went through different states' }
    case 'state':
      return { cause: 'order', why: 'the risk limits changed the session at a different time' }
    case 'transfer':
      return { cause: 'balance', why: 'different capital moved between the strategies' }
    case 'balances':
      return { cause: 'balance', why: 'the same fills led to different balances' }
  }
}

function causeOfRequest({ time }: LineDifference, marketData: LineDifference | undefined): Cause {
  if (marketData !== undefined && marketData.time <= time)
    return {
      cause: 'market data',
      why: `the strategy had received different market data before: ${marketWords(marketData)}`,
    }
  const why =
    'the strategy received the same market data and sent a different request: it uses something outside its context, ' +
    'or the sequence of its account updates within one millisecond, where identical orders are processed one by one'
  return { cause: 'strategy', why }
}

function causeOfAnswer({ inProcess, live }: LineDifference): Cause {
  const [ours, theirs] = [typeOf(inProcess), typeOf(live)]
  if (ours === 'refused' || theirs === 'refused')
    return { cause: 'refusal', why: 'the same order or cancel was refused on one side only, or for a different reason' }
  return { cause: 'order', why: 'the same order or cancel got a different response, or at a different time' }
}

/** Known differences of the service's market data. */
const WIRE_WORDS: Readonly<Record<string, string>> = {
  ticker: 'the service sends one ticker per turn, after all trades of that turn',
  candle:
    'the service sends a recorded trade that filled your order in pieces, yours at the price of your order, ' +
    'and builds candles from these pieces',
  trade:
    'the service does not mark quarantined prints, ' +
    'and a trade is known as your own only after the response to its order',
  gap: 'the service does not report gaps of the tape',
}

export function marketWords({ inProcess, live }: LineDifference): string {
  const type = typeOf(inProcess) ?? typeOf(live) ?? ''
  const missing = missingCandle(candleOpen(inProcess), candleOpen(live))
  if (type === 'candle' && missing !== undefined) return missing
  return WIRE_WORDS[type] ?? 'it arrived at a different time'
}

/** Which run lacks a candle; undefined if both have one of that time. */
function missingCandle(inProcess: number | undefined, live: number | undefined): string | undefined {
  const [ours, theirs] = [inProcess ?? Number.POSITIVE_INFINITY, live ?? Number.POSITIVE_INFINITY]
  if (ours === theirs) return undefined
  const [side, open] = ours < theirs ? ['live', ours] : ['in process', theirs]
  return `the run ${side} received no candle that opens at ${isoTime(open)}`
}

/** Unix milliseconds; undefined for any other line. */
const candleOpen = (line: string | undefined): number | undefined =>
  line === undefined ? undefined : (JSON.parse(line) as { readonly time?: number }).time

const typeOf = (line: string | undefined): string | undefined =>
  line === undefined ? undefined : (JSON.parse(line) as { readonly type: string }).type
