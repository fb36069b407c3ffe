/** The status of a session in the Prometheus text format. Amounts are the decimals of the status, unrounded. */
import { SECOND_MS } from '../../domain/time.ts'
import { SESSION_STATES } from '../../runtime/session-state.ts'
import type { LiveStatus, StrategyStatus } from '../../runtime/live/live-status.ts'
import { family, type Sample } from '../http/metric-family.ts'

export interface MeasuredSession {
  /** Undefined before the first. */
  readonly status: LiveStatus | undefined
  readonly kind: 'live' | 'paper'
  readonly version: string
  /** Number of fills by session name. */
  readonly fills: ReadonlyMap<string, number>
}

export function sessionMetrics({ status, kind, version, fills }: MeasuredSession): string {
  const info = family('papertape_session_info', 'gauge', 'Always 1.', [
    ['papertape_session_info', { kind, version, url: status?.baseUrl ?? '' }, 1],
  ])
  const rest = status === undefined ? [] : [...ofProcess(status), ...ofStrategies(status.strategies, fills)]
  return [...info, ...rest, ''].join('\n')
}

function ofProcess(status: LiveStatus): readonly string[] {
  const { time, startedAt, connection, stream, dataAt, budget, halts, undecided } = status
  const one = (name: string, help: string, value: number): readonly string[] =>
    family(name, 'gauge', help, [[name, {}, value]])
  const isConnected = connection === 'connected' && stream !== 'lost'
  return [
    ...one('papertape_session_start_time_seconds', 'Start of the session, Unix seconds.', startedAt / SECOND_MS),
    ...one('papertape_status_time_seconds', 'Time of this status, Unix seconds.', time / SECOND_MS),
    ...(dataAt === undefined
      ? []
      : one('papertape_market_data_time_seconds', 'Time of the last market data, Unix seconds.', dataAt / SECOND_MS)),
    ...one('papertape_connected', '1 while the session is connected and its stream is open.', Number(isConnected)),
    ...one('papertape_halted_markets', 'Markets that are halted.', halts.length),
    ...one('papertape_undecided_requests', 'Requests with an unknown outcome.', undecided.length),
    ...family(
      'papertape_rate_limit_remaining',
      'gauge',
      'Requests that the rate limit of the key still allows.',
      Object.entries(budget ?? {}).map(([bucket, { remaining }]): Sample => [
        ...(['papertape_rate_limit_remaining', { bucket }, remaining] as const),
      ]),
    ),
  ]
}

function ofStrategies(strategies: readonly StrategyStatus[], fills: MeasuredSession['fills']): readonly string[] {
  const each = (
    name: string,
    help: string,
    samples: (status: StrategyStatus) => readonly (readonly [Readonly<Record<string, string>>, number | string])[],
    type = 'gauge',
  ): readonly string[] =>
    family(
      name,
      type,
      help,
      strategies.flatMap((status) =>
        samples(status).map(([labels, value]): Sample => [name, { strategy: status.owner, ...labels }, value]),
      ),
    )
  return [
    ...each('papertape_equity', 'Equity in the quote asset; missing while a price is.', ({ equity, quoteAsset }) =>
      equity === undefined ? [] : [[{ asset: quoteAsset }, equity]],
    ),
    ...each('papertape_return_ratio', 'Return since the start, as a fraction.', ({ change }) =>
      change === undefined ? [] : [[{}, change]],
    ),
    ...each('papertape_position', 'Quantity held of an asset.', ({ positions }) =>
      positions.map(({ asset, qty }) => [{ asset }, qty]),
    ),
    ...each('papertape_session_state', '1 for the present state of the strategy.', ({ state }) =>
      SESSION_STATES.map((name) => [{ state: name }, Number(name === state)]),
    ),
    ...each('papertape_open_orders', 'Open orders.', ({ openOrders }) => [[{}, openOrders.length]]),
    ...each('papertape_waiting_requests', 'Requests that are not sent yet.', ({ waiting }) => [[{}, waiting]]),
    ...each('papertape_fills_total', 'Fills since the start.', ({ owner }) => [[{}, fills.get(owner) ?? 0]], 'counter'),
  ]
}
