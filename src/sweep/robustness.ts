/**
 * The same strategy in many worlds: a sweep whose points differ in settings such as fees, latency, liquidity and seed.
 *
 * The effect of a setting is the difference between the highest and the lowest median return of the worlds that share
 * one of its values. Known limit: with a random seed among the settings, its effect is noise, and others are only
 * meaningful if they are larger.
 */
import type { PointOutcome } from './point-outcome.ts'
import { isVaried } from '../runtime/settings/varied-terms.ts'

/** One world and its result. */
export interface WorldReport {
  /** Values by flag, and the parameters of the strategy that were set. */
  readonly settings: Readonly<Record<string, string>>
  readonly return: number
  readonly maxDrawdown: number
  /** Digest that `backtest` gives with these settings. */
  readonly digest: string | null
}

/** The worlds that share one value of a setting. */
export interface ValueReport {
  readonly value: string
  readonly worlds: number
  /** Share of worlds that end with a profit, median and worst return; null if all failed. */
  readonly profitable: number | null
  readonly median: number | null
  readonly worst: number | null
}

/** A setting that differs between worlds. */
export interface SettingEffect {
  /** Its flag. */
  readonly setting: string
  /** Each value, in the order given. */
  readonly values: readonly ValueReport[]
  /** Highest median return minus the lowest; null if none has one. */
  readonly effect: number | null
}

export interface RobustnessReport {
  readonly worlds: number
  /** Worlds whose run failed. */
  readonly failed: number
  /** Share of worlds that end with a profit; null if all failed. */
  readonly profitable: number | null
  readonly median: number | null
  readonly worst: WorldReport | null
  readonly best: WorldReport | null
  /** The largest effect first. */
  readonly settings: readonly SettingEffect[]
}

/**
 * @param values  tested values by name, those of parameters included
 * @param base    settings that each world differs from in one at most; a setting is then compared by those worlds that
 * have all others of the base; default: worlds differ in any number of settings
 */
export function robustnessOf(
  values: ReadonlyMap<string, readonly string[]>,
  outcomes: readonly PointOutcome[],
  base?: WorldReport['settings'],
): RobustnessReport {
  const worlds = outcomes.flatMap(worldOf)
  const ordered = worlds.toSorted((a, b) => a.return - b.return)
  const settings = [...values].filter(([name, { length }]) => isVaried(name) && length > 1)
  return {
    worlds: outcomes.length,
    failed: outcomes.length - worlds.length,
    profitable: profitableShare(worlds),
    median: medianReturn(worlds),
    worst: ordered[0] ?? null,
    best: ordered.at(-1) ?? null,
    settings: settings
      .map(([name, texts]) => effectOf(name, texts, base === undefined ? worlds : nearIn(name, worlds, base)))
      .toSorted((a, b) => (b.effect ?? -1) - (a.effect ?? -1)),
  }
}

/** Nothing for a run that failed, or whose equity has no price. */
function worldOf({ params, statistics, digest }: PointOutcome): readonly WorldReport[] {
  const { return: made = null, maxDrawdown = 0 } = statistics ?? {}
  return made === null ? [] : [{ settings: params, return: made, maxDrawdown, digest }]
}

const nearIn = (name: string, worlds: readonly WorldReport[], base: WorldReport['settings']): readonly WorldReport[] =>
  worlds.filter(({ settings }) => Object.keys(base).every((each) => each === name || settings[each] === base[each]))

function effectOf(name: string, texts: readonly string[], worlds: readonly WorldReport[]): SettingEffect {
  const values = texts.map((value): ValueReport => {
    const own = worlds.filter(({ settings }) => settings[name] === value)
    const worst = own.length === 0 ? null : Math.min(...own.map((each) => each.return))
    return { value, worlds: own.length, profitable: profitableShare(own), median: medianReturn(own), worst }
  })
  const medians = values.flatMap(({ median }) => (median === null ? [] : [median]))
  return { setting: name, values, effect: medians.length === 0 ? null : Math.max(...medians) - Math.min(...medians) }
}

const profitableShare = (worlds: readonly WorldReport[]): number | null =>
  worlds.length === 0 ? null : worlds.filter((world) => world.return > 0).length / worlds.length

/** Mean of the middle two of an even number. */
function medianReturn(worlds: readonly WorldReport[]): number | null {
  const returns = worlds.map((world) => world.return).toSorted((a, b) => a - b)
  const [low, high] = [returns[(returns.length - 1) >> 1], returns[returns.length >> 1]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}
