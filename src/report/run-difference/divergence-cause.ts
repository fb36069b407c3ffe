/**
 * The cause of a parting: what came before it and was different.
 *
 * What a simulated market tells comes of its settings, so that of two backtests the cause is the setting, and what was
 * told differently is how it came about. Nobody knows why a live exchange told something else: there the cause is what
 * it told.
 *
 * Invariant: with the two runs swapped it is the same cause, its sides swapped.
 */
import type { Sides } from './compared-run.ts'
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
  /**
   * What was told differently, or came later, and of which request, by its number in each run; null when nothing was.
   */
  readonly told: ReportedText | null
  /** Names of the settings that it may come of. */
  readonly settings: readonly string[]
}

/** In words, one of each run. */
export interface ReportedText extends Sides<string> {
  readonly kind: ReportedKind | 'balance' | 'end' | 'strategy-failure'
  readonly request: (Sides<number> & { readonly words: string }) | null
}

/** What bears on what a simulated market answers. */
const ANSWERING: readonly SettingGroup[] = ['market-data', 'latency', 'fills', 'fees', 'start', 'limits', 'risk']

const named = (settings: readonly SettingDifference[], groups: readonly SettingGroup[]): readonly SettingDifference[] =>
  settings.filter(({ group }) => groups.includes(group))

const namesOf = (settings: readonly SettingDifference[]): readonly string[] => settings.map(({ setting }) => setting)

const toldWords = ({ kind, requests, a, b }: ReportedDifference): ReportedText => ({
  kind,
  request: { a: requests.a.ref, b: requests.b.ref, words: requests.a.words },
  a,
  b,
})

/**
 * @param told         what was told differently first
 * @param isSimulated  true when neither run was on a live exchange
 */
export function causeOfReported(
  told: ReportedDifference,
  settings: readonly SettingDifference[],
  isSimulated: boolean,
): Cause {
  const bearing = bearingOn(told, settings)
  const kind = (isSimulated ? kindOfSettings(bearing) : undefined) ?? kindOfTold(told, bearing)
  return { kind, told: toldWords(told), settings: namesOf(bearing) }
}

function bearingOn(told: ReportedDifference, settings: readonly SettingDifference[]): readonly SettingDifference[] {
  const alone = aloneOn(told)
  if (alone !== undefined) {
    const found = named(settings, [alone])
    if (found.length > 0) return found
  }
  return named(settings, ANSWERING)
}

/** The settings of which such a difference comes alone, where they differ. */
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

function kindOfTold({ kind }: ReportedDifference, bearing: readonly SettingDifference[]): CauseKind {
  if (kind !== 'fee') return kind
  return bearing.some(({ group }) => group === 'fees') ? 'settings' : 'fill'
}

/** Of strategies that were told the same in the same words, as far as that is known. */
export interface Unreported {
  readonly settings: readonly SettingDifference[]
  readonly isSimulated: boolean
  /** What they held when they parted, when that was different. */
  readonly held: Sides<string> | undefined
  /** The answer that came latest beside that of the other run. */
  readonly late: ReportedDifference | undefined
}

export function causeOfUnreported({ settings, isSimulated, held, late }: Unreported): Cause {
  const own = named(settings, ['strategy', 'start'])
  if (own.length > 0) return { kind: 'settings', told: null, settings: namesOf(own) }
  const seen = named(settings, ['market-data'])
  const slow = named(settings, ['latency'])
  if (held !== undefined) {
    const told: ReportedText = { kind: 'balance', request: null, ...held }
    return { kind: 'balance', told, settings: namesOf(named(settings, ANSWERING)) }
  }
  const isOtherData = isSimulated && seen.length > 0 && slow.length === 0
  if (late !== undefined && !isOtherData) {
    return { kind: 'latency', told: toldWords(late), settings: namesOf([...slow, ...seen]) }
  }
  const others = seen.length > 0 ? seen : isSimulated ? settings : []
  const kind = seen.length === 0 && others.length > 0 ? 'settings' : 'market-data'
  return { kind, told: null, settings: namesOf(others) }
}
