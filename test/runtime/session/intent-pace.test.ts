import { describe, expect, it } from 'vitest'
import { IntentPace } from '../../../src/runtime/session/intent-pace.ts'

const START = Date.parse('2024-03-01T00:00:00Z')

function paceOf(): { readonly pace: IntentPace; readonly notices: string[] } {
  const notices: string[] = []
  return { pace: new IntentPace((message) => void notices.push(message)), notices }
}

/** Adds so many each millisecond. */
function addFor(pace: IntentPace, milliseconds: number, each: number, from = START): void {
  for (let time = from; time < from + milliseconds; time += 1) {
    for (let intent = 0; intent < each; intent += 1) pace.add(time)
  }
}

describe('the pace of intents', () => {
  it('lets ten thousand pass at one moment, and no more', () => {
    const { pace } = paceOf()
    addFor(pace, 1, 10_000)
    expect(() => {
      pace.add(START)
    }).toThrow(
      'more than 10000 orders and cancels at the same moment, as in an endless loop: does the strategy react to itself? if they are intended, raise --max-orders-at-once',
    )
  })

  it('never minds two thousand a second, however long, nor ten thousand at once every few seconds', () => {
    const { pace, notices } = paceOf()
    addFor(pace, 600_000, 2)
    for (let second = 600; second < 1_600; second += 5) addFor(pace, 1, 10_000, START + second * 1_000)
    expect(notices).toEqual([])
  })

  it('reports once what goes on and on, then ends it, naming the time and how many came at it', () => {
    const { pace, notices } = paceOf()
    expect(() => {
      addFor(pace, 100_000, 52)
    }).toThrow(
      'the strategy is 1000000 orders and cancels above a pace of 2000 per second of the tape, 51 of them at 2024-03-01T00:00:19.999Z alone, as in an endless loop',
    )
    expect(notices).toHaveLength(1)
    expect(notices[0]).toContain('the strategy is 100000 orders')
  })
})
