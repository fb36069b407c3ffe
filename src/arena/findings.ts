/** All suspicions of a season, with their proofs, and the accounts that are disqualified. */
import { circularTrading } from './cheats/circular-trading.ts'
import type { Finding } from './cheats/finding.ts'
import { quoteStuffing, sniping } from './cheats/latency.ts'
import { oneHand } from './cheats/one-hand.ts'
import { pricePushing } from './cheats/price-pushing.ts'
import { rankFarming } from './cheats/rank-farming.ts'
import type { Disqualification } from './rules.ts'
import type { SeasonRecord, SeasonRules } from './season-record.ts'

const CHECKS = [pricePushing, circularTrading, rankFarming, oneHand, quoteStuffing, sniping]

export const findings = (record: SeasonRecord): readonly Finding[] => CHECKS.flatMap((check) => check(record))

/**
 * Accounts without a rank: by rule, or in a finding of a kind that the season's rules name. A suspicion of another kind
 * is reported only, because statistics prove no intent.
 */
export const disqualifiedAccounts = (
  rules: SeasonRules,
  breaches: readonly Disqualification[],
  found: readonly Finding[],
): ReadonlySet<string> =>
  new Set([
    ...breaches.map(({ account }) => account),
    ...found.flatMap(({ kind, accounts }) => (rules.disqualifying.includes(kind) ? accounts : [])),
  ])
