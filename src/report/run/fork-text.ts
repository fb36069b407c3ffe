/** The changes of a fork in words. */
import { isDeepStrictEqual } from 'node:util'
import { isoTime } from '../../domain/time.ts'
import type { ForkReport, RunReport } from './run-report.ts'

/** @param run  the run that it continues */
export function forkText(fork: ForkReport, { params: before, config }: Pick<RunReport, 'params' | 'config'>): string {
  const { strategy, params = {}, isRestarted, without, added, orderLatencyMs, responseLatencyMs, terms = {} } = fork
  const isOther = strategy !== undefined
  const changed = Object.entries(params).filter(([name, value]) => isOther || !isDeepStrictEqual(value, before[name]))
  const changes = [
    isOther && `strategy ${strategy.file}`,
    ...changed.map(
      ([name, value]) => `${name}=${valueText(value)}${isOther ? '' : ` (was ${valueText(before[name])})`}`,
    ),
    isRestarted === true && 'started at that moment',
    without !== undefined && `without order ${without.orderId}`,
    added !== undefined && `with an added order: ${added.side === 'BUY' ? 'buy' : 'sell'} ${orderText(added)}`,
    orderLatencyMs !== undefined && `order latency ${orderLatencyMs} ms`,
    responseLatencyMs !== undefined && `response latency ${responseLatencyMs} ms`,
    ...changedTerms(terms, { ...config }).map(
      ([name, value, was]) => `${termText(name, value)} (was ${termText(name, was, false)})`,
    ),
  ].filter((change) => change !== false)
  const text = changes.length === 0 ? 'with nothing changed' : changes.join(', ')
  return `A fork of ${fork.of.slice(0, 'sha256:'.length + 8)} from ${isoTime(fork.at)} on: ${text}.`
}

/** Terms with another value than in the run: name, value and that of the run. */
export const changedTerms = (
  terms: Readonly<Record<string, unknown>>,
  config: Readonly<Record<string, unknown>>,
): readonly (readonly [name: string, value: unknown, was: unknown])[] =>
  Object.entries(terms).flatMap(([name, value]) => {
    const isSame = value === config[name] || name === 'liquiditySha256'
    return isSame ? [] : [[name, value, config[name]] as const]
  })

const FEES: Readonly<Record<string, string>> = { makerFeeBps: 'maker fee', takerFeeBps: 'taker fee' }

function termText(name: string, value: unknown, isNamed = true): string {
  const text = value === null ? (name === 'atLimit' ? 'reduce' : 'off') : valueText(value)
  const words = FEES[name] === undefined ? text : `${text} bps`
  return isNamed ? `${FEES[name] ?? name} ${words}` : words
}

const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const orderText = (order: NonNullable<ForkReport['added']>): string =>
  `${String(order.qty)} ${order.symbol} ${order.type === 'limit' ? `at ${String(order.price)}` : 'at market'}`
