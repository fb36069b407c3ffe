/** The changes of a fork in words. */
import { isDeepStrictEqual } from 'node:util'
import { isoTime } from '../../domain/time.ts'
import type { ForkReport } from './run-report.ts'

/** @param before  parameters of the run that it continues */
export function forkText(fork: ForkReport, before: Readonly<Record<string, unknown>>): string {
  const { strategy, params = {}, isRestarted, without, added, orderLatencyMs, responseLatencyMs } = fork
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
  ].filter((change) => change !== false)
  const text = changes.length === 0 ? 'with nothing changed' : changes.join(', ')
  return `A fork of ${fork.of.slice(0, 'sha256:'.length + 8)} from ${isoTime(fork.at)} on: ${text}.`
}

const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const orderText = (order: NonNullable<ForkReport['added']>): string =>
  `${String(order.qty)} ${order.symbol} ${order.type === 'limit' ? `at ${String(order.price)}` : 'at market'}`
