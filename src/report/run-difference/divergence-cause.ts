/**
 * The cause of a divergence: the first difference before it.
 *
 * A simulated market follows from its settings, so for two backtests the cause is a setting, and the differing report
 * is only its effect. A live exchange is not reproducible: there the report itself is the cause.
 *
 * Invariant: swapping the runs swaps the sides of the cause.
 */
import type { Sides } from './run-trace.ts'
import type { SettingDifference, SettingGroup } from './setting-differences.ts'
import { type ReportedDifference, type ReportedKind } from './reported-difference.ts'

export type CauseKind =
  | 'settings'
  | 'market-data'
  | 'latency'
  | 'fill'
  | 'cancellation'
  | 'refusal'
  | 'unknown-outcome'
  | 'balance'
  | 'strategy-failure'
  | 'end'
  | 'earlier-parting'

export interface Cause {
  readonly kind: CauseKind
  /** First report that differed or came later, and its request by number in each run; null if there is none. */
  readonly told: ReportedText | null
  /** Settings that may explain it. */
  readonly settings: readonly string[]
}

/** The differing reports as text, one per run. */
export interface ReportedText extends Sides<string> {
  readonly kind: ReportedKind | 'balance' | 'end' | 'strategy-failure'
  readonly request: (Sides<number> & { readonly words: string }) | null
}

/** Groups of settings that influence how a simulated market responds. */
const ANSWERING: readonly SettingGroup[] = [
  'fork',
  'market-data',
  'latency',
  'fills',
  'fees',
  'start',
  'limits',
  'risk',
]

const named = (settings: readonly SettingDifference[], groups: readonly SettingGroup[]): readonly SettingDifference[] =>
  settings.filter(({ group }) => groups.includes(group))

const namesOf = (settings: readonly SettingDifference[]): readonly string[] => settings.map(({ setting }) => setting)

const reportedWords = ({ kind, requests, a, b }: ReportedDifference): ReportedText => ({
  kind,
  request: { a: requests.a.ref, b: requests.b.ref, words: requests.a.words },
  a,
  b,
})

/**
 * @param reported        first differing report
 * @param isSimulated  true if neither run was on a live exchange
 */
export function causeOfReported(
  reported: ReportedDifference,
  settings: readonly SettingDifference[],
  isSimulated: boolean,
): Cause {
  const bearing = bearingOn(reported, settings)
  const kind = (isSimulated ? kindOfSettings(bearing) : undefined) ?? kindOfReported(reported, bearing)
  return { kind, told: reportedWords(reported), settings: namesOf(bearing) }
}

function bearingOn(reported: ReportedDifference, settings: readonly SettingDifference[]): readonly SettingDifference[] {
  const alone = aloneOn(reported)
  if (alone !== undefined) {
    const found = named(settings, [alone])
    if (found.length > 0) return found
  }
  return named(settings, ANSWERING)
}

/** The only group of settings that can cause this kind of difference. */
function aloneOn({ kind, by }: ReportedDifference): SettingGroup | undefined {
  if (kind === 'fee') return 'fees'
  if (by === 'risk') return 'risk'
  return by === 'rate-budget' ? 'limits' : undefined
}

function kindOfSettings(settings: readonly SettingDifference[]): CauseKind | undefined {
  if (settings.length === 0) return undefined
  if (settings.some(({ setting }) => setting.startsWith('tape.'))) return 'market-data'
  if (settings.every(({ group }) => group === 'latency')) return 'latency'
  return settings.every(({ group }) => group === 'market-data') ? 'market-data' : 'settings'
}

function kindOfReported({ kind }: ReportedDifference, bearing: readonly SettingDifference[]): CauseKind {
  if (kind !== 'fee') return kind
  return bearing.some(({ group }) => group === 'fees') ? 'settings' : 'fill'
}

/** Facts about a divergence without a differing report before it. */
export interface Unreported {
  readonly settings: readonly SettingDifference[]
  readonly isSimulated: boolean
  /** Balances at the divergence, if they differ. */
  readonly held: Sides<string> | undefined
  /** Answer with the greatest difference in latency between the runs. */
  readonly late: ReportedDifference | undefined
}

export function causeOfUnreported({ settings, isSimulated, held, late }: Unreported): Cause {
  const own = named(settings, ['strategy', 'fork', 'start'])
  if (own.length > 0) return { kind: 'settings', told: null, settings: namesOf(own) }
  const seen = named(settings, ['market-data'])
  const slow = named(settings, ['latency'])
  if (held !== undefined) {
    const balance: ReportedText = { kind: 'balance', request: null, ...held }
    return { kind: 'balance', told: balance, settings: namesOf(named(settings, ANSWERING)) }
  }
  const isOtherData = isSimulated && seen.length > 0 && slow.length === 0
  if (late !== undefined && !isOtherData) {
    return { kind: 'latency', told: reportedWords(late), settings: namesOf([...slow, ...seen]) }
  }
  const others = seen.length > 0 ? seen : isSimulated ? settings : []
  const kind = seen.length === 0 && others.length > 0 ? 'settings' : 'market-data'
  return { kind, told: null, settings: namesOf(others) }
}
