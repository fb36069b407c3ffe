/** The report of several strategies on one wallet: that of the wallet, with a part for each strategy. */
import { createHash } from 'node:crypto'
import { balancesToJson } from '../../domain/balances.ts'
import { invariant } from '../../domain/errors.ts'
import { formatTrimmed } from '../../domain/fixed-point.ts'
import { correlation } from '../../analysis/returns/float-sums.ts'
import type { AccountFigures } from '../../runtime/figures/account-figures.ts'
import type { PortfolioPart, RunReport } from './run-report.ts'

/** A strategy of a portfolio, with its report and its figures. */
export interface PartFacts {
  readonly name: string
  readonly report: RunReport
  readonly figures: AccountFigures
}

/** Credit that no strategy has, ledger units by asset, and its digits. */
export interface ReserveFacts {
  readonly units: ReadonlyMap<string, bigint>
  readonly scales: ReadonlyMap<string, number>
}

/** Name of the directory of the wallet, next to those of its strategies. */
export const PORTFOLIO = 'portfolio'

/** @param digests  of the journals of all strategies, in order */
export const portfolioDigest = (digests: readonly string[]): string =>
  `sha256:${createHash('sha256').update(digests.join('\n')).digest('hex')}`

/**
 * @param total    report of the wallet
 * @param figures  of the wallet
 */
export function portfolioReport(
  total: RunReport,
  figures: AccountFigures,
  parts: readonly PartFacts[],
  reserve: ReserveFacts,
): RunReport {
  const initial = figures.equity.initialEquity()
  const fall = deepestFall(figures)
  return {
    ...total,
    reserve: balancesToJson(
      new Map([...reserve.units].map(([asset, available]) => [asset, { available, locked: 0n }])),
      reserve.scales,
    ),
    strategies: parts.map((part) => partOf(part, { initial, fall, parts })),
  }
}

interface Whole {
  readonly initial: bigint
  readonly fall: Fall | undefined
  readonly parts: readonly PartFacts[]
}

function partOf({ name, report, figures }: PartFacts, { initial, fall, parts }: Whole): PortfolioPart {
  const { equity } = figures
  const profit = equity.profit()
  const { strategy, params, config, digest, failure, initialEquity, finalEquity, balances, orders, fills, transfers } =
    report
  const { return: ownReturn, maxDrawdown, sharpe } = report.statistics
  return {
    name,
    strategy,
    params,
    credit: config.credit,
    digest,
    failure,
    initialEquity,
    finalEquity,
    ...(transfers !== undefined && { transfers }),
    profit: formatTrimmed(profit, equity.scale),
    contribution: shareOf(profit, initial),
    drawdownContribution: fall === undefined ? null : shareOf(changeIn(figures, fall), fall.peak),
    return: ownReturn,
    maxDrawdown,
    sharpe,
    orders,
    fills,
    balances,
    correlations: Object.fromEntries(
      parts.flatMap((other) =>
        other.name === name ? [] : [[other.name, correlation(returnsOf(figures), returnsOf(other.figures))]],
      ),
    ),
  }
}

/** A float, for reading; null without a whole. */
function shareOf(part: bigint, whole: bigint): number | null {
  return whole === 0n ? null : Number(part) / Number(whole)
}

/** Deepest fall of the wallet between two samples of its equity, with the equity before it. */
interface Fall {
  readonly from: number
  readonly to: number
  readonly peak: bigint
}

function deepestFall({ equity }: AccountFigures): Fall | undefined {
  let [peak, peakAt, depth] = [0n, 0, 0]
  let fall: Fall | undefined
  for (const { time, equity: now } of equity.samples) {
    if (now >= peak) [peak, peakAt] = [now, time]
    // Without a value there is nothing to fall: a holding may have no price yet.
    if (peak === 0n) continue
    const below = Number(peak - now) / Number(peak)
    if (below <= depth) continue
    depth = below
    fall = { from: peakAt, to: time, peak }
  }
  return fall
}

/** The curves of a portfolio are sampled at the same times. */
function changeIn({ equity }: AccountFigures, { from, to }: Fall): bigint {
  const at = (time: number): bigint => {
    const sample = equity.samples.find((each) => each.time === time)
    invariant(sample !== undefined, 'the curve of a strategy has the times of its wallet')
    return sample.equity
  }
  return at(to) - at(from) - equity.transferred(from, to)
}

function returnsOf({ equity }: AccountFigures): readonly number[] {
  const values = equity.periodSamples.map((sample) => Number(sample.equity) * (sample.factor ?? 1))
  return values.slice(1).map((value, index) => value / (values[index] ?? Number.NaN) - 1)
}
