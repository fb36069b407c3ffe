import { describe, expect, it } from 'vitest'
import { RecordedDepth } from '../../../src/simulation/depth/recorded-depth.ts'
import { liquidity } from '../../../src/simulation/liquidity/liquidity-models.ts'
import { depthBlockOf } from '../../tape/rig/depth-of.ts'
import { BTC, MarketStage } from '../rig/market-stage.ts'

const TERMS = { queueSize: 1, levelSize: 1, staleAfterMs: 600_000 }

function stageWithBook(): MarketStage {
  const depth = new RecordedDepth({ hasLevels: true, hasQuotes: false })
  const stage = new MarketStage({
    model: () => liquidity('book').create({ symbol: BTC, spread: undefined, terms: TERMS, depth }),
    depths: new Map([[BTC, depth]]),
  })
  stage.credit('ann', 'USD', 10n ** 9n)
  stage.credit('ann', 'BTC', 10n ** 9n)
  return stage
}

function report(stage: MarketStage, bids: readonly (readonly [number, number])[], asks: typeof bids): void {
  const block = depthBlockOf([{ time: stage.queue.now() + 1, isSnapshot: true, bids, asks }])
  stage.simulated.market(BTC).bookPlayer?.playFrames(block, 0, block.length, Infinity, 0)
}

/** `100x5 99x4 | 102x3`. */
function shown(stage: MarketStage, levels?: number): string {
  const { bids, asks } = stage.simulated.depth(BTC, levels)
  const text = (side: typeof bids): string => side.map(({ price, qty }) => `${price}x${qty}`).join(' ')
  return `${text(bids)} | ${text(asks)}`
}

describe('a market with a recorded book shows', () => {
  it('nothing but what rests before the book is known', () => {
    const stage = stageWithBook()
    stage.limit('ann', 'BUY', 98, 1)
    expect(shown(stage)).toBe('98x1 | ')
  })

  it('its levels with what others rest there, and the queue ahead of them once', () => {
    const stage = stageWithBook()
    report(stage, [[100, 5], [99, 4]], [[102, 3]]) // prettier-ignore
    expect(shown(stage)).toBe('100x5 99x4 | 102x3')
    stage.limit('ann', 'BUY', 100, 2)
    stage.limit('ann', 'BUY', 101, 1)
    expect(shown(stage)).toBe('101x1 100x7 99x4 | 102x3')
    expect(shown(stage, 2)).toBe('101x1 100x7 | 102x3')
  })

  it('no longer what was taken, until it is reported again', () => {
    const stage = stageWithBook()
    report(stage, [[100, 5]], [[102, 3], [103, 9]]) // prettier-ignore
    stage.market('ann', 'BUY', 4)
    expect(shown(stage)).toBe('100x5 | 103x8')
    report(stage, [[100, 5]], [[102, 5], [103, 9]]) // prettier-ignore
    expect(shown(stage)).toBe('100x5 | 102x4 103x8')
  })
})
