import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { textFrame } from '../../../src/server/streams/stream-client.ts'
import { serveMarket, type ServedMarket } from '../rig/served-market.ts'
import { listenTo, type StreamListener } from '../rig/stream-listener.ts'

const TRADES = 'trade:BTC_USD'

describe('events of a service that keeps its state', () => {
  /** Commits that are not done yet; empty when all is safe. */
  let commits: PromiseLike<void>[]
  let served: ServedMarket
  let stream: StreamListener
  beforeEach(async () => {
    commits = []
    served = await serveMarket({ durable: () => commits.at(-1) as Promise<void> | undefined })
    stream = await listenTo(served.server.streamUrl)
    await stream.subscribe(TRADES)
  })
  afterEach(async () => {
    commits = []
    await served.server.close()
  })

  interface Commit {
    readonly done: () => void
    readonly failed: () => void
  }

  function commit(): Commit {
    let settle: Commit = { done: () => undefined, failed: () => undefined }
    const promise = new Promise<void>((resolve, reject) => {
      settle = {
        done: resolve,
        failed: () => {
          reject(new Error('the disk is full'))
        },
      }
    })
    commits.push(promise)
    return settle
  }

  const prices = (): unknown[] => stream.of(TRADES).map(({ data }) => data?.price)
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  const trade = async (ticks: number): Promise<void> => {
    served.print('BTC_USD', ticks)
    await turns()
  }

  it('are sent when they are durable, not before', async () => {
    const { done } = commit()
    await trade(10_000)
    expect(prices()).toEqual([])
    done()
    await stream.until(() => prices().length === 1)
  })

  it('are reported in their order, each after its own commit', async () => {
    const first = commit()
    await trade(10_000)
    const second = commit()
    await trade(10_001)
    first.done()
    await stream.until(() => prices().length === 1)
    await turns()
    expect(prices()).toEqual(['100.00'])
    commits = []
    await trade(10_002)
    expect(prices()).toEqual(['100.00'])
    second.done()
    await stream.until(() => prices().length === 3)
    expect(prices()).toEqual(['100.00', '100.01', '100.02'])
  })

  it('that cannot be made durable are sent to no one', async () => {
    const { failed } = commit()
    await trade(10_000)
    failed()
    await turns()
    expect(prices()).toEqual([])
    expect(served.errors).toEqual([])
  })

  it('that are many in one turn are all reported, in their order', async () => {
    for (let tick = 0; tick < 3_000; tick += 1) served.print('BTC_USD', 10_000 + tick)
    await stream.until(() => prices().length === 3_000)
    expect(stream.of(TRADES).map(({ data }) => Number(data?.id))).toEqual(
      Array.from({ length: 3_000 }, (_, at) => at + 1),
    )
  })
})

describe('a frame', () => {
  it.each([
    [0, [0x81, 0]],
    [125, [0x81, 125]],
    [126, [0x81, 126, 0, 126]],
    [65_535, [0x81, 126, 0xff, 0xff]],
    [65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]],
  ])('of %i bytes says so', (length, head) => {
    const frame = textFrame('x'.repeat(length))
    expect([...frame.subarray(0, head.length)]).toEqual(head)
    expect(frame.length).toBe(head.length + length)
  })

  it('counts bytes, not characters', () => {
    expect([...textFrame('½')]).toEqual([0x81, 2, 0xc2, 0xbd])
  })
})
