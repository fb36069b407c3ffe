/**
 * Optimistic settings: those that make orders fill sooner, cheaper or more often than the defaults.
 *
 * Known limit: a given spread is always listed, because the estimate that it replaces is unknown; custom liquidity
 * models are not judged.
 */
import { DEFAULT_RATE_LIMITS, type RateLimits } from '../../domain/rate-window.ts'
import { USUAL_STALENESS_MS } from '../../runtime/backtest/liquidity-setups.ts'
import { resolveTerms } from '../../runtime/settings/run-terms.ts'
import type { TapeInfo } from '../../tape/tape.ts'
import type { FlatteringSetting, JsonValue, RunConfig } from './run-report.ts'

const USUAL = resolveTerms({})

const FLATTERING_MODELS: readonly string[] = ['ideal', 'touch']

/** Settings by their usual effect on the result, strongest first. */
export function flatteringSettings(config: RunConfig, tapes: readonly TapeInfo[]): readonly FlatteringSetting[] {
  const { liquidity, levelSize, queueSize, spread, orderLatencyMs, limits, staleAfterMs, printFilter } = config
  const found: readonly (readonly [FlatteringSetting['setting'], boolean, string])[] = [
    ['liquidity', FLATTERING_MODELS.includes(liquidity), `liquidity ${liquidity}`],
    ['orderLatencyMs', orderLatencyMs < USUAL.orderLatencyMs, `order latency ${orderLatencyMs} ms`],
    ['takerFeeBps', isFree(config), 'no fees'],
    ['levelSize', levelSize > USUAL.levelSize, `book depth x${levelSize}`],
    ['queueSize', queueSize < USUAL.queueSize, `queue x${queueSize}`],
    ['spread', spread !== null, `spread ${spread ?? ''}`],
    ['printFilter', printFilter === 'off', 'no print filter'],
    ['limits', isLooser(limits), limits === null ? 'no rate limits' : 'looser rate limits'],
    ['staleAfterMs', isLonger(staleAfterMs, tapes), `quotes up to ${staleAfterMs ?? 0} ms old`],
  ]
  return found.flatMap(([setting, isFlattering, words]) =>
    isFlattering ? [{ setting, value: valueOf(config, setting), words }] : [],
  )
}

const valueOf = (config: RunConfig, setting: FlatteringSetting['setting']): JsonValue =>
  JSON.parse(JSON.stringify(config[setting] ?? null)) as JsonValue

/** True if neither side pays fees; the summary has its own line for that. */
export const isFree = ({ makerFeeBps, takerFeeBps }: Pick<RunConfig, 'makerFeeBps' | 'takerFeeBps'>): boolean =>
  Number(makerFeeBps) === 0 && Number(takerFeeBps) === 0

function isLooser(limits: RateLimits | null): boolean {
  if (limits === null) return true
  const { general, mutations, windowSeconds } = DEFAULT_RATE_LIMITS
  const seconds = limits.windowSeconds / windowSeconds
  return limits.general > general * seconds || limits.mutations > mutations * seconds
}

/** Quotes of candles are never stale: an order waits for the next open. */
const isLonger = (staleAfterMs: number | null, tapes: readonly TapeInfo[]): boolean =>
  (staleAfterMs ?? 0) > USUAL_STALENESS_MS && tapes.some(({ kind }) => kind === 'trades')
