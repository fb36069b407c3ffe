/** Texts for a phone: short, whatever happens at once. */
import { expect, it } from 'vitest'
import { notifyText } from '../../../src/cli/notify/notify-text.ts'
import type { NumberedEvent } from '../../../src/runtime/live/live-event.ts'

const TITLE = { title: 'papertape live http://x/v1', status: undefined, dropped: 0 }

const fill = (seq: number): NumberedEvent => {
  const amounts = { price: '100', qty: '1', orderId: 'o', tag: undefined }
  return { seq, time: 0, owner: 'grid', type: 'fill', symbol: 'BTC_USD', side: 'BUY', ...amounts }
}

const warning = (seq: number, message: string): NumberedEvent => ({
  seq,
  time: 0,
  owner: 'grid',
  type: 'warning',
  message,
})

it('has the newest of a thousand fills, the halt among them, and says what is left out', () => {
  const halt: NumberedEvent = { seq: 3, time: 0, owner: 'grid', type: 'state', state: 'HALTED', why: 'loss of the day' }
  const events = [fill(1), fill(2), halt, ...Array.from({ length: 998 }, (_, index) => fill(index + 4))]
  const text = notifyText(events, { ...TITLE, dropped: 12 })
  expect(text.split('\n').slice(0, 4)).toEqual([
    'papertape live http://x/v1',
    '12 earlier events could not be delivered',
    '986 events left out, 986 of them fills',
    '00:00:00  grid  is HALTED: loss of the day',
  ])
  expect(text.split('\n')).toHaveLength(3 + 15)
})

it('is cut to what Discord takes, and has no control characters of a strategy', () => {
  const long = Array.from({ length: 15 }, (_, index) => warning(index, `\u001b[2J${'x'.repeat(2_000)}`))
  const text = notifyText(long, TITLE)
  expect(text.length).toBeLessThanOrEqual(1_900)
  expect(text).not.toContain('\u001b')
  const ended: NumberedEvent = { seq: 16, time: 0, owner: 'grid', type: 'ended', exitCode: 1, message: 'y'.repeat(250) }
  const end = notifyText([...long, ended], TITLE)
  expect(end.length).toBeLessThanOrEqual(1_900)
  expect(end).toMatch(/\n10 events left out, 0 of them fills\n[^]*ended with exit code 1: y{250}$/)
})
