/**
 * The cause of a parting in words.
 */
import type { Cause, CauseKind, ToldWords } from './parting-cause.ts'

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
  end: 'end, one goes on',
  'earlier-parting': 'the parting before it',
}

export function causeText({ kind, settings, told }: Cause): string {
  const behind = settings.length === 0 ? '' : ` (${settings.join(', ')})`
  const untold =
    kind === 'market-data' && told === null
      ? ': both were told the same of their orders, so the market data differed, or what the strategy makes of chance'
      : ''
  return `${KINDS[kind]}${behind}${untold}`
}

export function toldLines({ request, a, b }: ToldWords): readonly string[] {
  const told = [`    a  ${a}`, `    b  ${b}`]
  if (request === null) return ['  before it', ...told]
  const name = request.a === request.b ? `ref:${request.a}` : `ref:${request.a} of a, ref:${request.b} of b`
  return [`  before it, of ${request.words} (${name})`, ...told]
}
