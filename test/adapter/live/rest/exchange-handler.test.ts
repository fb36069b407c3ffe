/**
 * One request through undici, called as undici calls it.
 */
import type { Dispatcher } from 'undici'
import { expect, it } from 'vitest'
import { ExchangeHandler, type Exchanged } from '../../../../src/adapter/live/rest/undici-transport.ts'

const MAX_BYTES = 4

function rig(): { handler: ExchangeHandler; ends: Exchanged[]; controller: Dispatcher.DispatchController } {
  const ends: Exchanged[] = []
  const handler = new ExchangeHandler(MAX_BYTES, (exchanged) => ends.push(exchanged))
  const state = { isAborted: false }
  const controller = {
    get aborted() {
      return state.isAborted
    },
    abort: (reason: Error) => {
      state.isAborted = true
      handler.onResponseError(controller, reason)
    },
  } as Dispatcher.DispatchController
  return { handler, ends, controller }
}

it('does not send a request whose time was over while it waited for a connection', () => {
  const { handler, ends, controller } = rig()
  handler.giveUp()
  expect(ends).toEqual([])
  handler.onRequestStart(controller)
  expect(controller.aborted).toBe(true)
  expect(ends).toMatchObject([{ type: 'failed', status: undefined, isLate: true }])
})

it('ends a request whose time is over in the middle of its answer, once', () => {
  const { handler, ends, controller } = rig()
  handler.onRequestStart(controller)
  handler.onResponseStart(controller, 201, {})
  handler.giveUp()
  handler.giveUp()
  expect(ends).toMatchObject([{ type: 'failed', status: 201, isLate: true }])
})

it('leaves alone what has ended before its time was over', () => {
  const { handler, ends, controller } = rig()
  handler.onRequestStart(controller)
  handler.onResponseStart(controller, 100, {})
  handler.onResponseStart(controller, 201, { a: 'b' })
  handler.onResponseData(controller, Buffer.from('ab'))
  handler.onResponseData(controller, Buffer.from('cd'))
  handler.onResponseEnd()
  handler.giveUp()
  expect(controller.aborted).toBe(false)
  expect(ends).toEqual([{ type: 'whole', status: 201, headers: { a: 'b' }, bytes: Buffer.from('abcd') }])
})

it.each`
  status | chunk      | type
  ${302} | ${''}      | ${'redirect'}
  ${200} | ${'abcde'} | ${'too-long'}
`('takes no more of an answer that is $type', ({ status, chunk, type }) => {
  const { handler, ends, controller } = rig()
  handler.onRequestStart(controller)
  handler.onResponseStart(controller, status, {})
  if (chunk !== '') handler.onResponseData(controller, Buffer.from(chunk))
  expect(controller.aborted).toBe(true)
  expect(ends).toEqual([{ type, status }])
})
