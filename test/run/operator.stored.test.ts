/**
 * An operator's words: done by the process that trades on the account, or, where none does, by the files that the next
 * start reads.
 */
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { MachineClocks } from '../../src/adapter/live/machine-clocks.ts'
import type { LiveTime } from '../../src/adapter/live/live-time.ts'
import { accountView, reportAccount } from '../../src/run/operator.ts'
import { OperatorLink, type OperatorOrders } from '../../src/runtime/live/operator-link.ts'
import { macrotask } from '../../src/runtime/backtest/virtual-world.ts'
import { version } from '../../src/runtime/version.ts'
import { AccountLock } from '../../src/store/state/live/account-lock.ts'
import { saveSessionState, saveStatus, persistedSessionState } from '../../src/store/state/live/persisted-facts.ts'
import { LiveState } from '../../src/store/state/live/live-state.ts'
import type { OperatorAnswer, OperatorCommand } from '../../src/store/state/live/operator-command.ts'
import { savedIntent } from '../store/rig/saved-intents.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const { folder } = temporaryFiles()
let made = 0
const ends: (() => void)[] = []

afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** One clock for the process and the operator; each wait of the operator lets it run. */
class World implements LiveTime {
  readonly directory = join(folder, `account-${(made += 1)}`)
  readonly said: string[] = []
  readonly troubles: string[] = []
  adopting: () => Promise<string | undefined> = () => Promise.resolve(undefined)
  #now = 1_000
  readonly #timers: { readonly at: number; readonly action: () => void }[] = []

  readonly clocks: MachineClocks = {
    wall: () => this.#now,
    monotonic: () => this.#now,
    setTimer: (delayMs, action) => {
      const timer = this.after(delayMs, action)
      void macrotask().then(() => this.pass(delayMs))
      return () => timer.cancel()
    },
  }

  readonly orders: OperatorOrders = {
    setParams: ({ owner, values }) => ({
      isDone: true,
      message: `${owner ?? 'the only one'} ${JSON.stringify(values)}`,
    }),
    setState: (state, why) => this.said.push(`${state} ${why}`),
    resumeMarket: (symbol) => (symbol === 'BTC_USD' ? undefined : `${symbol} is not halted`),
    adopt: () => this.adopting(),
    flatten: () => Promise.resolve({ isDone: true, message: 'flat' }),
    disown: (intent) => {
      return intent === 9 ? Promise.reject(new Error('the desk is closed')) : Promise.resolve(undefined)
    },
  }

  now(): number {
    return this.#now
  }

  monotonic(): number {
    return this.#now
  }

  after(delayMs: number, action: () => void): { cancel(): void } {
    const timer = { at: this.#now + delayMs, action }
    this.#timers.push(timer)
    return { cancel: () => void this.#timers.splice(this.#timers.indexOf(timer) >>> 0, 1) }
  }

  atTime(time: number, action: () => void): void {
    this.after(time - this.now(), action)
  }

  enter(action: () => void): void {
    action()
  }

  pass(ms: number): void {
    this.#now += ms
    for (const timer of this.#timers.filter(({ at }) => at <= this.#now)) {
      this.#timers.splice(this.#timers.indexOf(timer), 1)
      timer.action()
    }
  }

  /** Files of an account, as a first process has made them. */
  make(use: (state: LiveState) => void = () => undefined): this {
    const lock = AccountLock.take(this.directory, { pid: 1, since: 1 })
    const state = LiveState.openOrMake(join(this.directory, 'live.db'))
    use(state)
    state.close()
    lock?.release()
    return this
  }

  /** A process that has the lock. */
  trade({ isListening = true } = {}): { readonly link: OperatorLink; readonly state: LiveState } {
    const lock = AccountLock.take(this.directory, { pid: 77, since: 5 })
    const state = LiveState.openOrMake(join(this.directory, 'live.db'))
    const onTrouble = (reason: string): void => void this.troubles.push(reason)
    const link = new OperatorLink({ state, time: this, orders: this.orders, onTrouble })
    if (isListening) link.start()
    ends.push(() => {
      link.stop()
      state.close()
      lock?.release()
    })
    return { link, state }
  }

  report(command: OperatorCommand, waitMs = 2_000): Promise<OperatorAnswer> {
    return reportAccount({ directory: this.directory, clocks: this.clocks }, command, waitMs)
  }
}

describe('an operator of an account on which a process trades', () => {
  it('has it do what is said, and keeps the state for the next start', async () => {
    const world = new World()
    const { state } = world.trade()
    expect(await world.report({ kind: 'reduce' })).toEqual({ isDone: true, message: 'all sessions are REDUCING' })
    expect(await world.report({ kind: 'halt' })).toEqual({ isDone: true, message: 'all sessions are HALTED' })
    expect(world.said).toEqual(['REDUCING by an operator', 'HALTED by an operator'])
    expect(persistedSessionState(state)).toMatchObject({ state: 'HALTED' })
    expect(await world.report({ kind: 'resume', symbol: undefined })).toMatchObject({ isDone: true })
    expect(world.said.at(-1)).toBe('ACTIVE by an operator')
  })

  it('hears what was wrong, also when it was thrown', async () => {
    const world = new World()
    world.trade()
    expect(await world.report({ kind: 'resume', symbol: 'BTC_USD' })).toEqual({
      isDone: true,
      message: 'BTC_USD resumes',
    })
    expect(await world.report({ kind: 'resume', symbol: 'X' })).toEqual({ isDone: false, message: 'X is not halted' })
    expect(await world.report({ kind: 'disown', intent: 9 })).toEqual({ isDone: false, message: 'the desk is closed' })
    world.adopting = () => Promise.reject(new Error('the service does not answer'))
    expect(await world.report({ kind: 'adopt', intent: 1, order: 'o' })).toEqual({
      isDone: false,
      message: 'the service does not answer',
    })
    expect(world.troubles).toEqual([])
  })

  it('gets a message when no process listens, and then nothing is done later either', async () => {
    const world = new World()
    const { link, state } = world.trade({ isListening: false })
    expect(await world.report({ kind: 'halt' })).toEqual({
      isDone: false,
      message: 'the process that trades on this account does not answer; nothing was done',
    })
    link.start()
    world.pass(1_000)
    expect([world.said, persistedSessionState(state)]).toEqual([[], undefined])
  })

  it('gets a message when it takes long, since it may still be done', async () => {
    const world = new World()
    world.trade()
    world.adopting = () => new Promise(() => undefined)
    expect(await world.report({ kind: 'adopt', intent: 1, order: 'o' })).toEqual({
      isDone: false,
      message: 'the process received the command but has not answered yet; see papertape live status',
    })
  })

  it('is answered when the process ends before it was done', async () => {
    const world = new World()
    const { link } = world.trade()
    world.adopting = () => new Promise(() => undefined)
    const answer = world.report({ kind: 'adopt', intent: 1, order: 'o' }, 60_000)
    world.pass(300)
    link.stop()
    expect(await answer).toEqual({ isDone: false, message: 'the process ends' })
  })

  it('sees its status, its halts and its intents', () => {
    const world = new World()
    const { state } = world.trade()
    state.save(savedIntent(1))
    saveStatus(state, { version: version(), pid: 77, time: 9, status: { time: 9 } })
    expect(accountView(world.directory)).toMatchObject({
      process: { pid: 77, since: 5 },
      status: { time: 9 },
      intents: [{ id: 1 }],
    })
    saveStatus(state, { version: '0.0.0-other', pid: 77, time: 9, status: {} })
    expect(accountView(world.directory).status).toBeUndefined()
  })
})

describe('a process that starts', () => {
  it('begins in the state that was said last', () => {
    const world = new World().make((state) => {
      saveSessionState(state, { state: 'HALTED', reason: 'by an operator', since: 3 })
    })
    world.trade()
    expect(world.said).toEqual(['HALTED by an operator'])
  })

  it('does nothing that was said to one that was killed', () => {
    const world = new World().make((state) => {
      state.commands.request({ kind: 'halt' }, 3)
    })
    world.trade()
    world.pass(1_000)
    expect(world.said).toEqual([])
  })
})

describe('an operator of an account on which no process trades', () => {
  it('says in which state the next start begins', async () => {
    const world = new World().make()
    expect(await world.report({ kind: 'halt' })).toMatchObject({
      isDone: true,
      message: 'no process is trading on this account; the next session starts HALTED',
    })
    expect(accountView(world.directory)).toMatchObject({ process: undefined, sessionState: { state: 'HALTED' } })
  })

  it('decides about intents in the files', async () => {
    const world = new World().make((state) => {
      state.save(savedIntent(1, { state: 'AMBIGUOUS' }))
      state.save(savedIntent(2, { state: 'AMBIGUOUS' }))
      state.block({ symbol: 'BTC_USD', why: 'AMBIGUOUS', reason: 'two orders', since: 1 })
    })
    await expect(world.report({ kind: 'resume', symbol: 'BTC_USD' })).rejects.toThrow(
      'SYMBOL: BTC_USD has ambiguous intents',
    )
    await world.report({ kind: 'adopt', intent: 1, order: 'o-1' })
    await world.report({ kind: 'disown', intent: 2 })
    const { intents, halts } = accountView(world.directory)
    expect(intents.map(({ state, orderId }) => [state, orderId])).toEqual([
      ['PLACED', 'o-1'],
      ['DISOWNED', undefined],
    ])
    expect(halts).toEqual([])
    await expect(world.report({ kind: 'resume', symbol: 'BTC_USD' })).rejects.toThrow('SYMBOL: BTC_USD is not halted')
  })

  it('gets a message when there is no such account, and none is made', async () => {
    const world = new World()
    await expect(world.report({ kind: 'halt' })).rejects.toThrow('no saved state of a live session was found here')
    expect(() => accountView(world.directory)).toThrow(
      `${world.directory}: no saved state of a live session was found here`,
    )
  })
})
