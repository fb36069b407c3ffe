import { describe, expect, it } from 'vitest'
import { FakeLiveTime, START } from './fake-live-time.ts'

describe('fake live time', () => {
  it('runs what is due in its order, and what promises it settled before the next', async () => {
    const time = new FakeLiveTime()
    const seen: string[] = []
    const say = (text: string) => () => {
      seen.push(`${time.monotonic()} ${text}`)
    }
    time.after(20, say('second'))
    time.after(10, () => {
      say('first')()
      void Promise.resolve().then(() => time.after(5, say('after a promise')))
    })
    time.after(15, say('cancelled')).cancel()
    await time.pass(30)
    expect(seen).toEqual(['10 first', '15 after a promise', '20 second'])
    expect(time.now()).toBe(START + 30)
  })

  it('enters at once within an event, and as an event of its own outside', async () => {
    const time = new FakeLiveTime()
    const seen: string[] = []
    time.enter(() => {
      time.enter(() => seen.push('inner'))
      seen.push('outer')
    })
    expect(seen).toEqual([])
    await time.pass(0)
    expect(seen).toEqual(['inner', 'outer'])
  })

  it('jumps with the wall clock alone', () => {
    const time = new FakeLiveTime()
    time.jump(3_600_000)
    expect(time.now()).toBe(START + 3_600_000)
    expect(time.monotonic()).toBe(0)
  })

  it('waits for a promise, and fails when nothing will settle it', async () => {
    const time = new FakeLiveTime()
    const waited = new Promise<number>((resolve) => {
      time.after(50, () => {
        resolve(time.monotonic())
      })
    })
    expect(await time.until(waited)).toBe(50)
    await expect(time.until(new Promise(() => undefined))).rejects.toThrow('not settled 50 ms after the start')
  })
})
