/**
 * The cause of a divergence in words.
 */
import type { Cause, CauseKind, ReportedText } from './divergence-cause.ts'

const KINDS: Readonly<Record<CauseKind, string>> = {
  settings: 'settings',
  'market-data': 'market data',
  latency: 'latency',
  fill: 'fill',
  cancellation: 'cancellation',
  refusal: 'refusal',
  'unknown-outcome': 'unknown outcome',
  balance: 'balance',
  'strategy-failure': 'strategy failure',
  end: 'end of one run',
  'earlier-parting': 'the difference before it',
}

export function causeText({ kind, settings, told }: Cause): string {
  const behind = settings.length === 0 ? '' : ` (${settings.join(', ')})`
  const untold =
    kind === 'market-data' && told === null
      ? ': both received the same answers to their orders, so market data or random numbers differed'
      : ''
  return `${KINDS[kind]}${behind}${untold}`
}

export function toldLines({ request, a, b }: ReportedText): readonly string[] {
  const told = [`    a  ${a}`, `    b  ${b}`]
  if (request === null) return ['  before it', ...told]
  const name = request.a === request.b ? `ref:${request.a}` : `ref:${request.a} of a, ref:${request.b} of b`
  return [`  before it, for ${request.words} (${name})`, ...told]
}
