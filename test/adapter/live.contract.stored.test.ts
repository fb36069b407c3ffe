import { describeExchangeAdapter } from '../contract/adapter/exchange-adapter.contract.ts'
import { openEmulatorStage, type EmulatorStage } from './live/rig/emulator-stage.ts'

const stages = new WeakMap<object, EmulatorStage>()

async function open(settleMs?: number): Promise<EmulatorStage> {
  const stage = await openEmulatorStage({ ...(settleMs !== undefined && { settleMs }) })
  stages.set(stage, stage)
  return stage
}

describeExchangeAdapter({
  name: 'live, before the emulator',
  open: () => open(),
  loseNextAnswer: async (stage, isExecuted) => {
    const fault = isExecuted ? 'engine-timeout-after' : 'engine-timeout-before'
    await stages.get(stage)?.plan({ fault, route: 'POST /orders', count: 1 })
  },
  numRuns: 25,
})

describeExchangeAdapter({
  name: 'live, before the emulator, whose reads fail, are late, cut or refused, and whose stream is dropped',
  open: async () => {
    // The waits between attempts are virtual time.
    const stage = await open(20_000)
    for (const [fault, seed] of [
      ['service-unavailable', 1],
      ['reset-before', 2],
      ['truncated-body', 3],
      ['rate-limited', 4],
    ] as const) {
      for (const route of [
        'GET /orders',
        'GET /orders/open',
        'GET /orders/{orderId}',
        'GET /trades',
        'GET /balances',
      ]) {
        await stage.plan({ fault, route, probability: 0.05, seed, ms: 1_000 })
      }
    }
    return stage
  },
  loseNextAnswer: async (stage, isExecuted) => {
    await stages
      .get(stage)
      ?.plan({ fault: isExecuted ? 'reset-after' : 'reset-before', route: 'POST /orders', count: 1 })
  },
  numRuns: 25,
})
