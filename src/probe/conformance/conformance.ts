/**
 * Conformance tests of a service: every rule of the specification is kept, broken or not shown.
 *
 * Read-only unless trading is allowed. Then every order that it placed is cancelled, and orders with an unknown outcome
 * are reported.
 */
import { pathPart } from '../../adapter/live/rest/rest-transport.ts'
import { withoutKey } from '../../adapter/live/probe/hidden-key.ts'
import { proxyFor } from '../../adapter/live/network/proxy.ts'
import { ServiceProbe } from '../../adapter/live/probe/service-probe.ts'
import { streamUrlOf } from '../../adapter/live/stream/stream-connection.ts'
import { ACCESS_RULES } from './access-rules.ts'
import { ACCOUNT_RULES } from './account-rules.ts'
import { ANSWER_RULES, STREAM_RULES } from './answer-rules.ts'
import { reported, type Row } from './answer-reading.ts'
import { MARKET_RULES } from './market-rules.ts'
import { ORDER_RULES } from './order-rules.ts'
import type { Needs, Rule } from './rule.ts'
import { Broken, NotShown } from './verdict.ts'
import { CANCEL_RULES, PLACE_RULES } from './trade-rules.ts'
import { WatchedService } from './watched-service.ts'

export interface ConformanceOptions {
  /** URL of the REST interface. */
  readonly baseUrl: string
  /** Default: as in the emulator, `{baseUrl}/ws`. */
  readonly streamUrl?: string | undefined
  /** Without a key, rules of protected endpoints are not shown. */
  readonly key?: string | undefined
  /** Whether orders may be placed. */
  readonly mayTrade?: boolean
  readonly timeoutMs?: number
  /** Stops early: the remaining rules are not shown, and own orders are cancelled all the same. */
  readonly signal?: AbortSignal
}

export type Verdict = 'kept' | 'broken' | 'not shown'

export interface RuleResult {
  readonly id: string
  readonly section: number
  readonly title: string
  readonly verdict: Verdict
  /** Evidence, or the reason why there is none; empty for a rule that is kept. */
  readonly seen: string
}

export interface ConformanceReport {
  readonly baseUrl: string
  /** Why the service cannot be tested at all; undefined if it can. */
  readonly unusable: string | undefined
  /** Results in the order of the specification's sections. */
  readonly rules: readonly RuleResult[]
  /** Descriptions of own orders that may still be open. */
  readonly left: readonly string[]
}

const DEFAULT_TIMEOUT_MS = 10_000
/** Attempts to cancel an order. */
const MAX_CANCELS = 3

/** Order rules run while an order rests; rules about every answer run last. */
const RULES = [
  ...MARKET_RULES,
  ...ACCESS_RULES,
  ...PLACE_RULES,
  ...ORDER_RULES,
  ...ACCOUNT_RULES,
  ...CANCEL_RULES,
  ...STREAM_RULES,
  ...ANSWER_RULES,
]

/** Never rejects because of the service. */
export async function conformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const { baseUrl, key, streamUrl = streamUrlOf(baseUrl), timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const probe = new ServiceProbe({ baseUrl, timeoutMs, proxy: proxyFor(baseUrl) })
  const service = new WatchedService({ probe, key, streamUrl })
  const results: RuleResult[] = []
  try {
    const unusable = await whyUnusable(service)
    for (const rule of RULES) results.push(await resultOf(rule, service, unusable ?? hindrance(rule.needs, options)))
    const left = await cleanUp(service)
    const rules = results
      .toSorted((one, other) => one.section - other.section)
      .map((result) => ({ ...result, seen: withoutKey(result.seen, key) }))
    return { baseUrl, unusable: unusable && withoutKey(unusable, key), rules, left }
  } finally {
    await probe.close()
  }
}

/** Precondition of all rules: a service that lists its markets. */
async function whyUnusable(service: WatchedService): Promise<string | undefined> {
  try {
    const answer = await service.open('/markets')
    return answer.status === 200 && answer.json !== undefined
      ? undefined
      : `GET /markets is ${reported(answer)}${answer.json === undefined ? ', not JSON: is this the base URL of the service?' : ''}`
  } catch (error) {
    if (error instanceof NotShown) return error.message
    throw error
  }
}

function hindrance(needs: Needs, { key, mayTrade = false, signal }: ConformanceOptions): string | undefined {
  if (signal?.aborted === true) return 'the test was stopped before this rule'
  if (needs !== 'public' && key === undefined) return 'no key was given'
  return needs === 'trade' && !mayTrade ? 'needs orders; pass --trade to place some' : undefined
}

async function resultOf(rule: Rule, service: WatchedService, hindered: string | undefined): Promise<RuleResult> {
  const { id, section, title } = rule
  const result = (verdict: Verdict, seen: string): RuleResult => ({ id, section, title, verdict, seen })
  if (hindered !== undefined) return result('not shown', hindered)
  try {
    await rule.check(service)
    return result('kept', '')
  } catch (error) {
    if (error instanceof Broken) return result('broken', error.message)
    if (error instanceof NotShown) return result('not shown', error.message)
    throw error
  }
}

/** Cancels own open orders. @returns those that may still be open */
async function cleanUp(service: WatchedService): Promise<readonly string[]> {
  const left = service.unknown.map((body) => `an order without a response may exist: ${body}`)
  for (const id of service.created) {
    let isSure = false
    for (let attempt = 0; attempt < MAX_CANCELS && !isSure; attempt += 1) isSure = await isOver(service, id)
    if (!isSure) left.push(`order ${id} may still be open`)
  }
  return left
}

async function isOver(service: WatchedService, id: string): Promise<boolean> {
  const path = `/orders/${pathPart(id)}`
  try {
    const cancelled = await service.ask({ method: 'DELETE', path, key: service.key })
    if (cancelled.status === 409) return true
    const { json } = await service.readNow(path)
    const { status } = ((json as Row | null)?.data ?? json ?? {}) as Row
    return status === 'CANCELLED' || status === 'FILLED'
  } catch (error) {
    if (error instanceof NotShown) return false
    throw error
  }
}
