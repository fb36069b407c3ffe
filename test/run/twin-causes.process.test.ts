/**
 * Seeded causes of a gap are attributed to their parts. `TWIN_SEEDS=20` measures the share of right ones; by default a
 * case has six tries, because a busy machine adds causes of its own.
 */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { TWIN_PARTS } from '../../src/report/twin/twin-part.ts'
import type { TwinReport } from '../../src/run.ts'
import { toDecimal } from '../../src/domain/decimal.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'
import { gapOfCase, mainPart, TWIN_CASES } from './rig/twin-cases.ts'

const { folder } = temporaryFiles()
const SEEDS = Number(process.env.TWIN_SEEDS ?? 0)
const TRIES = 6

const isRight = (report: TwinReport, cause: string): boolean =>
  cause === 'none' ? toDecimal(report.parts.unexplained).isZero() : mainPart(report) === cause

const sumOfParts = ({ parts }: TwinReport): string =>
  TWIN_PARTS.reduce((sum, part) => sum.plus(parts[part]), toDecimal(0)).toFixed()

it.each(TWIN_CASES)(
  'a live session with a seeded cause: $cause',
  async (each) => {
    const found: string[] = []
    let right = 0
    const wanted = Math.max(SEEDS, TRIES)
    for (let seed = 1; found.length < wanted && seed <= 2 * wanted; seed += 1) {
      const report = await gapOfCase(each, seed, join(folder, `${each.cause}-${seed}`))
      expect(sumOfParts(report)).toBe(report.gap)
      const part = mainPart(report)
      // Where a cause made no gap there is nothing to attribute.
      if (part === 'none' && each.cause !== 'none') continue
      found.push(part)
      if (isRight(report, each.cause)) right += 1
      if (SEEDS === 0 && right > 0) break
    }
    if (SEEDS > 0) console.log(`${each.cause}: ${right} of ${found.length} right (${[...new Set(found)].join(', ')})`)
    if (SEEDS > 0) expect(found).toHaveLength(SEEDS)
    expect(right, found.join()).toBeGreaterThanOrEqual(SEEDS === 0 ? 1 : 0.95 * SEEDS)
  },
  120_000 + 80_000 * SEEDS,
)
