/**
 * The roster of agents that trade in a market, each with its style.
 */
import type { Agent } from './agent.ts'
import type { Chance } from './chance.ts'
import type { AgentAccount } from './agent-account.ts'
import { MarketMaker, type MakerStyle } from './market-maker.ts'
import { NoiseTaker } from './noise-taker.ts'
import { OrderSlicer } from './order-slicer.ts'
import type { Scene } from './scene.ts'
import { TrendFollower, type TrendStyle } from './trend-follower.ts'
import { ValueTrader } from './value-trader.ts'

const TIGHT_MAKER: MakerStyle = {
  halfSpread: 0.000_000_5,
  tolerance: 0,
  levels: [
    { distance: 1, size: 10 },
    { distance: 5, size: 40 },
    { distance: 25, size: 150 },
    { distance: 120, size: 800 },
  ],
}

const WIDE_MAKER: MakerStyle = {
  halfSpread: 0.000_000_8,
  tolerance: 0,
  levels: [
    { distance: 1, size: 6 },
    { distance: 15, size: 120 },
    { distance: 300, size: 2_500 },
  ],
}

const DEEP_MAKER: MakerStyle = {
  halfSpread: 0.001_2,
  tolerance: 0.6,
  levels: [
    { distance: 1, size: 4_000 },
    { distance: 2, size: 8_000 },
    { distance: 4, size: 16_000 },
  ],
}

const TREND_OF_MINUTES: TrendStyle = { lookMs: 60_000, fast: 10, slow: 40, threshold: 0.002 }
const TREND_OF_HOURS: TrendStyle = { lookMs: 600_000, fast: 12, slow: 60, threshold: 0.006 }

type AgentFactory = (account: AgentAccount, scene: Scene, chance: Chance) => Agent

const maker =
  (style: MakerStyle): AgentFactory =>
  (account, scene, chance) =>
    new MarketMaker(account, scene, chance, style)

const trend =
  (style: TrendStyle): AgentFactory =>
  (account, scene, chance) =>
    new TrendFollower(account, scene, chance, style)

const noise: AgentFactory = (account, scene, chance) => new NoiseTaker(account, scene, chance)
const slicer: AgentFactory = (account, scene, chance) => new OrderSlicer(account, scene, chance)
const value: AgentFactory = (account, scene, chance) => new ValueTrader(account, scene, chance)

/** Agents by account name. Each gets its random stream in this order, so append new ones at the end. */
export const AGENT_FACTORIES: ReadonlyMap<string, AgentFactory> = new Map([
  ['maker-1', maker(TIGHT_MAKER)],
  ['maker-2', maker(WIDE_MAKER)],
  ['maker-3', maker(DEEP_MAKER)],
  ['noise-1', noise],
  ['noise-2', noise],
  ['slicer-1', slicer],
  ['trend-1', trend(TREND_OF_MINUTES)],
  ['trend-2', trend(TREND_OF_HOURS)],
  ['value-1', value],
  ['value-2', value],
  ['value-3', value],
  ['value-4', value],
])
