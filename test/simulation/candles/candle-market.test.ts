/**
 * Requests on their way to a market that was recorded as candles, at its opens.
 */
import { expect, it } from 'vitest'
import { invariant } from '../../../src/domain/errors.ts'
import { BTC, MarketStage } from '../rig/market-stage.ts'

const INTERVAL_MS = 60_000

it.each`
  waiting | why
  ${0}    | ${'nothing else waits'}
  ${1}    | ${'another request waits'}
`('plays a request that answers an open at the next one, once: $why', ({ waiting }: { waiting: number }) => {
  const terms = { intervalMs: INTERVAL_MS, isAligned: true, spread: 1, fills: 'tape' } as const
  const { queue, simulated } = new MarketStage({ candles: new Map([[BTC, terms]]) })
  const { candles } = simulated.market(BTC)
  invariant(candles !== undefined, 'a market of candles')
  const played: string[] = []
  const submit = (name: string): void => {
    candles.submit({
      from: queue.now(),
      isCancel: false,
      act: () => void played.push(`${name} at ${queue.now()}`),
      expire: () => undefined,
    })
  }
  const onOpen = ({ time }: { readonly time: number }): void => {
    if (time === 0) submit('answer')
  }
  candles.listeners.push({ onOpen, onCandle: () => undefined })
  if (waiting > 0) submit('other')
  for (const time of [0, INTERVAL_MS]) {
    candles.record({ time, open: 100, high: 100, low: 100, close: 100, volume: 1 }, 'tape.csv')
    while (queue.nextTime <= time) queue.runNext()
  }
  expect(played).toEqual([...(waiting > 0 ? ['other at 0'] : []), `answer at ${INTERVAL_MS}`])
})
