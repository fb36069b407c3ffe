/**
 * Passive orders at the model's own quote on a real tape: how many fill, and how the market stands 5 s after they came.
 *
 * 1 000 orders of 0.001 BTC, buys and sells in turn, one at a time and each for 5 s, in eight passes whose orders come
 * at other moments. Markout is the crowd's middle price 5 s after the order came against the order's price, seen from
 * its side, over those that were filled. The table is golden: write it again by RENEW_GOLDEN=1, and say why it changed.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Side } from '../../src/domain/order.ts'
import { EVENT_KIND } from '../../src/simulation/event-queue.ts'
import { liquidity, type LiquidityName } from '../../src/simulation/liquidity/liquidity-models.ts'
import { inspectTape } from '../../src/store/tapes/inspect-tape.ts'
import { openTape } from '../../src/store/tapes/open-tape.ts'
import type { Tape } from '../../src/tape/tape.ts'
import { market } from '../exchange/rig/configs.ts'
import { BTC, MarketStage } from '../simulation/rig/market-stage.ts'

const FILE = fileURLToPath(
  new URL('../../../shared/data/tapes/binance_spot_btcusdt_trades_20240808T2354-20240809T0005.csv.gz', import.meta.url),
)
const GOLDEN = new URL('passive-orders.txt', import.meta.url)
const ORDERS = 1000
const PASSES = 8
const LIFE_MS = 5_000
/** 0.001 BTC. */
const LOTS = 100
const ACCOUNT = 'me'

interface Placed {
  readonly side: Side
  readonly price: number
  isFilled: boolean
  /** Basis points. */
  markout: number
}

/** Orders of one pass: the first at `start`, each when the one before is over. */
async function pass(tape: Tape, name: LiquidityName, start: number, count: number): Promise<readonly Placed[]> {
  const terms = { queueSize: 1, levelSize: 1, staleAfterMs: 600_000 }
  const stage = new MarketStage({
    markets: [market(BTC, { pricePrecision: 2, qtyPrecision: 5 })],
    model: () => liquidity(name).create({ symbol: BTC, spread: undefined, terms }),
    start: tape.info.from,
  })
  stage.credit(ACCOUNT, 'USD', 10n ** 15n)
  stage.credit(ACCOUNT, 'BTC', 10n ** 12n)
  const placed: Placed[] = []
  for (let index = 0; index < count; index += 1) {
    stage.queue.schedule(start + index * LIFE_MS, EVENT_KIND.message, () => {
      placed.push(lookAfter(stage, index % 2 === 0 ? 'BUY' : 'SELL'))
    })
  }
  await stage.play([tape])
  return placed
}

/** Places an order now, and looks at it 5 s later. */
function lookAfter(stage: MarketStage, side: Side): Placed {
  const { bid, ask } = quoteOf(stage)
  const placed: Placed = { side, price: side === 'BUY' ? bid : ask, isFilled: false, markout: 0 }
  const [accepted] = stage.limit(ACCOUNT, side, placed.price, LOTS)
  if (accepted?.type !== 'order-accepted') throw new Error('a passive order is accepted')
  const { id } = accepted.order
  stage.queue.schedule(stage.queue.now() + LIFE_MS, EVENT_KIND.data, () => {
    placed.isFilled = stage.exchange.order(ACCOUNT, id)?.status === 'FILLED'
    const quote = quoteOf(stage)
    const gained = ((quote.bid + quote.ask) / 2 - placed.price) * (side === 'BUY' ? 1 : -1)
    placed.markout = (gained / placed.price) * 10_000
    if (!placed.isFilled) stage.execute({ type: 'cancel', account: ACCOUNT, orderId: id })
  })
  return placed
}

function quoteOf(stage: MarketStage): { readonly bid: number; readonly ask: number } {
  const { quote } = stage.simulated.crowd(BTC).model
  if (quote === undefined) throw new Error('the market has traded')
  return quote
}

async function tableRow(tape: Tape, name: LiquidityName): Promise<string> {
  const count = ORDERS / PASSES
  const first = tape.info.from + 10_000
  const placed: Placed[] = []
  for (let index = 0; index < PASSES; index += 1) {
    placed.push(...(await pass(tape, name, first + (index * LIFE_MS) / PASSES, count)))
  }
  const filled = placed.filter(({ isFilled }) => isFilled)
  const markout = filled.reduce((sum, order) => sum + order.markout, 0) / filled.length
  return `${name.padEnd(8)} ${placed.length} orders, ${filled.length} filled, markout ${markout.toFixed(2)} bps`
}

describe.skipIf(!existsSync(FILE))('passive orders on a real tape (skipped without ../shared/data)', () => {
  it('fill and fare as in test/real-data/passive-orders.txt', async () => {
    const inspected = await inspectTape({ file: FILE, symbol: BTC })
    const tape = openTape(inspected, inspected.info)
    const rows: string[] = []
    for (const name of ['through', 'tape', 'touch'] as const) rows.push(await tableRow(tape, name))
    const table = `${rows.join('\n')}\n`
    if (process.env.RENEW_GOLDEN !== undefined) writeFileSync(GOLDEN, table)
    expect(table).toBe(readFileSync(GOLDEN, 'utf8'))
  })
})
