/** Texts for a phone: short, whatever happens at once. */
import { expect, it } from 'vitest'
import { messagesOf, notifyText, statusMessage } from '../../../src/cli/notify/notify-text.ts'
import type { NumberedEvent } from '../../../src/runtime/live/live-event.ts'
import type { LiveStatus } from '../../../src/runtime/live/live-status.ts'

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

it('leaves events out of a text that is too long for a phone, and has no control characters of a strategy', () => {
  const long = Array.from({ length: 15 }, (_, index) => warning(index, `\u001b[2J${'x'.repeat(2_000)}`))
  const text = notifyText(long, TITLE)
  expect(text.length).toBeLessThanOrEqual(1_900)
  expect(text).not.toContain('\u001b')
  const ended: NumberedEvent = { seq: 16, time: 0, owner: 'grid', type: 'ended', exitCode: 1, message: 'y'.repeat(250) }
  const end = notifyText([...long, ended], TITLE)
  expect(end.length).toBeLessThanOrEqual(1_900)
  expect(end).toMatch(/\n10 events left out, 0 of them fills\n[^]*ended with exit code 1: y{250}$/)
})

const strategy = (index: number): LiveStatus['strategies'][number] => ({
  owner: `strategy-${String(index).padStart(2, '0')}-${'x'.repeat(80)}`,
  ...{ state: 'ACTIVE', why: '', quoteAsset: 'USD', equity: '1000', change: 0, waiting: 0, runDirectory: '' },
  ...{ positions: [{ asset: 'BTC', qty: '1' }], openOrders: [] },
})

const STATUS: LiveStatus = {
  ...{ time: 0, startedAt: 0, baseUrl: 'http://x/v1', connection: 'connected', stream: 'open', dataAt: 0 },
  ...{ budget: undefined, halts: [], undecided: [], warnings: [`first ${'w'.repeat(2_000)} last`], events: [] },
  strategies: Array.from({ length: 40 }, (_, index) => strategy(index)),
}

it('reports the end and the status of every strategy completely', () => {
  const ended: NumberedEvent = { seq: 1, time: 0, owner: 'a', type: 'ended', exitCode: 3, message: 'y'.repeat(900) }
  for (const text of [notifyText([ended], { ...TITLE, status: STATUS }), statusMessage(STATUS)])
    expect(text.match(/strategy-\d\d-x{80},? .*, 0 open orders$/gm)).toHaveLength(40)
  expect(notifyText([ended], { ...TITLE, status: STATUS })).toMatch(/ended with exit code 3: y{900}$/m)
  expect(statusMessage(STATUS)).toMatch(/^! first w{2000} last$/m)
})

it.each`
  text               | messages                 | why
  ${'ab\ncd'}        | ${['ab\ncd']}            | ${'it fits'}
  ${'ab\ncd\nef'}    | ${['ab\ncd', 'ef']}      | ${'only whole lines'}
  ${'abcdef\ngh'}    | ${['abcde', 'f\ngh']}    | ${'a line is too long'}
  ${'abcd\u{1F600}'} | ${['abcd', '\u{1F600}']} | ${'a character of two units stays whole'}
  ${'\nabcdefg'}     | ${['\nabcd', 'efg']}     | ${'an empty line is no message'}
`('splits a text into messages of five characters: $why', ({ text, messages }) => {
  expect(messagesOf(String(text), 5)).toEqual(messages)
})
