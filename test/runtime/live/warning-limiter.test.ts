import { describe, expect, it } from 'vitest'
import { WarningLimiter } from '../../../src/runtime/live/warning-limiter.ts'
import { FakeLiveTime } from '../../adapter/live/rig/fake-live-time.ts'

const limiter = (): { readonly time: FakeLiveTime; readonly shown: string[]; readonly warnings: WarningLimiter } => {
  const time = new FakeLiveTime()
  const shown: string[] = []
  return { time, shown, warnings: new WarningLimiter(time, (text) => shown.push(text)) }
}

describe('repeated warnings', () => {
  it('are reported once, and after a minute with their number', async () => {
    const { time, shown, warnings } = limiter()
    for (let each = 0; each < 43; each += 1)
      warnings.warn(`BTC_USD: trade ${each} of 2024-01-01T00:00:${each}Z is late`)
    expect(shown).toEqual(['BTC_USD: trade 0 of 2024-01-01T00:00:0Z is late'])
    await time.pass(60_000)
    expect(shown.slice(1)).toEqual(['BTC_USD: trade 42 of 2024-01-01T00:00:42Z is late (and 41 more)'])
    await time.pass(60_000)
    warnings.warn('BTC_USD: trade 99 of 2024-01-01T01:00:00Z is late')
    expect(shown).toHaveLength(3)
  })

  it('of another kind or market are reported immediately', () => {
    const { shown, warnings } = limiter()
    const texts = ['BTC_USD: trade 1 is late', 'ETH_USD: trade 1 is late', 'the stream is lost']
    for (const text of texts) warnings.warn(text)
    expect(shown).toEqual(texts)
  })

  it('never end with one that no one saw', () => {
    const { shown, warnings } = limiter()
    for (const count of [1, 2, 3]) warnings.warn(`${count} orders are open`)
    warnings.flush()
    warnings.flush()
    expect(shown).toEqual(['1 orders are open', '3 orders are open (and 1 more)'])
  })

  it('of any number of kinds need bounded memory and few lines', async () => {
    const { time, shown, warnings } = limiter()
    for (let each = 0; each < 1_000; each += 1) warnings.warn(`${each} ${'x'.repeat(each % 250)}`)
    expect(shown.length).toBeLessThan(110)
    await time.pass(60_000)
    expect(shown.at(-1)).toMatch(/^\d+ x+ \(and \d+ more\)$/)
  })
})
