/**
 * `papertape live halt`, `reduce`, `resume`, `status` and `orders` on the files of an account on which no process trades, and beside one.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MACHINE_CLOCKS } from '../../../src/adapter/live/machine-clocks.ts'
import { AccountLock } from '../../../src/store/state/live/account-lock.ts'
import { saveAccount, saveMarkets, saveSessionState } from '../../../src/store/state/live/persisted-facts.ts'
import { LiveState } from '../../../src/store/state/live/live-state.ts'
import { savedIntent } from '../../store/rig/saved-intents.ts'
import { cliFolder, runCli } from '../rig/run-cli.ts'

const { folder, cli, write } = cliFolder()
let made = 0

/**
 * An account as a process that has ended left it: an open order, two undecided intents, one of them of a hostile name,
 * and a halt.
 */
function account(): string {
  const directory = join(folder, `account-${(made += 1)}`)
  mkdirSync(directory)
  const state = LiveState.openOrMake(join(directory, 'live.db'))
  state.save(savedIntent(1, { state: 'PLACED', orderId: 'o-1', filledQty: 40 }))
  state.save(savedIntent(2, { state: 'AMBIGUOUS', owner: 'sma\u001b[2J' }))
  state.save(savedIntent(3, { state: 'REFUSED', isFinished: true }))
  state.save(savedIntent(4, { state: 'QUARANTINED', symbol: 'ETH_USD', type: 'MARKET', price: undefined }))
  state.block({ symbol: 'BTC_USD', why: 'AMBIGUOUS', reason: 'two orders', since: 5 })
  saveMarkets(state, [{ symbol: 'BTC_USD', pricePrecision: 2, qtyPrecision: 5 }])
  saveAccount(state, { baseUrl: 'http://127.0.0.1:8080/v1', createdAt: 5 })
  state.close()
  return directory
}

describe('an operator of an account on which no process trades', () => {
  it('sees the intents that need a word first, and moves no cursor', async () => {
    const { stdout, code } = await cli('live', 'orders', '--state', account())
    expect(code).toBe(0)
    expect(stdout.split('\n')).toEqual([
      'intent  owner    state        order  symbol   side             qty      price        filled  sent',
      '     2  sma\ufffd[2J  AMBIGUOUS    -      BTC_USD  BUY     0.00100       100000.00  0.00000       2026-09-21T14:13:20.000Z',
      '     4  grid     QUARANTINED  -      ETH_USD  BUY   100       lots     market  0       lots  2026-09-21T14:13:20.000Z',
      '     1  grid     PLACED       o-1    BTC_USD  BUY     0.00100       100000.00  0.00040       2026-09-21T14:13:20.000Z',
      '1 finished intent not shown',
      'BTC_USD is halted (AMBIGUOUS): two orders',
      '',
    ])
  })

  it('says which order an intent is, and the halt ends with it', async () => {
    const state = account()
    expect(await cli('live', 'orders', 'adopt', '2', 'o-9', '--state', state)).toEqual({
      code: 0,
      stdout: 'order o-9 belongs to intent 2; the next start checks it\n',
      stderr: '',
    })
    const disowned = await cli('live', 'orders', 'disown', '4', '--state', state, '--json')
    expect(JSON.parse(disowned.stdout)).toEqual({ isDone: true, message: 'intent 4 has no order' })
    const { intents, halts } = JSON.parse((await cli('live', 'orders', '--state', state, '--json')).stdout)
    expect([intents.map(({ id }: { id: number }) => id), halts]).toEqual([[1, 2], []])
  })

  it('says in which state the next start begins', async () => {
    const state = account()
    await cli('live', 'halt', '--state', state)
    const halted = await cli('live', 'status', '--state', state)
    expect(halted.stdout).toMatch(
      /^no process is trading on http:\/\/127\.0\.0\.1:8080\/v1\nan operator set HALTED at \S+; new sessions start in this state\n/,
    )
    expect(halted.stdout).toContain('2 intents with an unknown outcome: run papertape live orders\n')
    await cli('live', 'resume', '--state', state)
    expect((await cli('live', 'status', '--state', state)).stdout).not.toContain('an operator set')
  })

  it.each<{ args: readonly string[]; stderr: string }>([
    { args: ['orders', 'adopt', '9', 'o-1'], stderr: 'INTENT: there is no intent 9' },
    { args: ['orders', 'adopt', '2', 'o-1'], stderr: 'ORDER: order o-1 belongs to intent 1' },
    { args: ['orders', 'mark-absent', '0x2'], stderr: "INTENT: expected the number of a request (intent), got '0x2'" },
    {
      args: ['resume', 'BTC_USD'],
      stderr: 'SYMBOL: BTC_USD has ambiguous intents: adopt each of them or mark it absent first',
    },
    { args: ['halt', 'now'], stderr: "papertape: unexpected argument 'now'" },
    { args: ['halt', '--reconcile-ms', '5'], stderr: 'papertape: unknown flag --reconcile-ms' },
  ])('is refused in one line: $args', async ({ args, stderr }) => {
    const result = await cli('live', ...args, '--state', account())
    expect(result).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(stderr) })
    expect(result.stderr.split('\n')).toHaveLength(2)
  })

  it('names the account in the config file, as live does, unless a flag names one', async () => {
    const directory = account()
    const written = (value: object): string => write(JSON.stringify(value), `config-${(made += 1)}.json`)
    const ofState = written({ live: { state: directory } })
    const status = await cli('live', 'status', '--config', ofState)
    expect(status.stdout).toMatch(/^no process is trading on http:\/\/127\.0\.0\.1:8080\/v1\n/)
    expect((await cli('live', 'orders', '--config', ofState)).stdout).toContain('BTC_USD is halted')
    expect(await cli('live', 'halt', '--config', ofState)).toMatchObject({ code: 0 })
    const env = { XDG_DATA_HOME: folder, PAPERTAPE_API_KEY: 'pt_key' }
    const ofUrl = await runCli(['live', 'status', '--config', written({ url: 'http://127.0.0.1:9/v1' })], { env })
    expect(ofUrl.stderr).toContain(join(folder, 'papertape', 'live', '127.0.0.1_9-'))
    const broken = ['--config', write('{', 'broken.json')]
    expect(await cli('live', 'status', ...broken)).toMatchObject({ code: 2, stdout: '' })
    expect(await cli('live', 'status', ...broken, '--state', directory)).toMatchObject({ code: 0 })
  })

  it('gets a message when there is no such account', async () => {
    const nowhere = join(folder, 'nowhere')
    expect(await cli('live', 'status', '--state', nowhere)).toMatchObject({
      code: 2,
      stderr: `papertape: ${nowhere}: no saved state of a live session was found here\n`,
    })
    const { stderr } = await runCli(['live', 'status'], { cwd: folder, env: { XDG_DATA_HOME: nowhere, HOME: nowhere } })
    expect(stderr).toMatch(/no saved state of a live session was found here\n$/)
  })
})

describe('an operator beside a process that trades', () => {
  it('is answered by it', async () => {
    const directory = account()
    const lock = AccountLock.take(directory, { pid: 77, since: 5 })
    const state = LiveState.openOrMake(join(directory, 'live.db'))
    const reported = cli('live', 'reduce', '--state', directory)
    let taken = state.commands.take(1)
    while (taken.length === 0) {
      await new Promise<void>((resolve) => MACHINE_CLOCKS.setTimer(20, resolve))
      taken = state.commands.take(1)
    }
    expect(taken).toMatchObject([{ command: { kind: 'reduce' } }])
    state.commands.answer(taken[0]?.id ?? 0, { isDone: false, message: 'not now' })
    expect(await reported).toEqual({ code: 1, stdout: '', stderr: 'papertape: not now\n' })
    saveSessionState(state, { state: 'REDUCING', reason: 'by an operator', since: 0 })
    expect((await cli('live', 'status', '--state', directory)).stdout).toContain(
      'process 77 is trading since 1970-01-01T00:00:00.005Z on http://127.0.0.1:8080/v1\nan operator set REDUCING',
    )
    state.close()
    lock?.release()
  })
})
