/**
 * A service's state in a file: opened again it is what it was, to the byte, however it was left.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Database } from '../../database.ts'
import { describe, expect, it } from 'vitest'
import { CROWD } from '../../../src/domain/command.ts'
import { createExchange } from '../../../src/exchange/create-exchange.ts'
import type { Exchange, ExchangeConfig, SnapshotExchange } from '../../../src/exchange/exchange.ts'
import type { ExchangeSnapshot } from '../../../src/exchange/snapshot/exchange-snapshot.ts'
import { cancelAbandonedOrders } from '../../../src/server/emulator/emulator-world.ts'
import { systemSecrets } from '../../../src/server/service/secrets.ts'
import { openServiceState, type ServiceState, snapshotText } from '../../../src/server/state/service-state.ts'
import { accountsOfAgents } from '../../../src/simulation/agents/agent-population.ts'
import { readStateFile } from '../../../src/store/state/read-state-file.ts'
import { snapshotsBeside } from '../../../src/store/state/snapshot-beside.ts'
import { FORM_WITH_BESIDE } from '../../../src/store/state/state-file-header.ts'
import { StateFile } from '../../../src/store/state/state-file.ts'
import { Chance } from '../../exchange/rig/chance.ts'
import { market, oneMarket } from '../../exchange/rig/configs.ts'
import { CommandSource, type Action } from '../../exchange/rig/random-commands.ts'
import { randomScript, type RandomScript } from '../../exchange/rig/random-script.ts'
import { bytesBeside, copyStateFile } from '../../store/rig/state-file-copy.ts'
import { again, PROPERTY_SEED } from '../../property/property.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'

const CONFIG = oneMarket()
const SYMBOL = 'BTC_USD'
const SCRIPTS = 60
const MAX_SCRIPTS = 8 * SCRIPTS
const { folder } = temporaryFiles()
let made = 0

/** A path that is not there yet. */
const freshPath = (): string => join(folder, `state-${(made += 1)}.db`)

const open = (file: string, config: ExchangeConfig = CONFIG, checkpointEntries?: number): ServiceState =>
  openServiceState(
    file,
    config,
    systemSecrets,
    (error) => {
      throw error
    },
    checkpointEntries,
  )

/** The exchange's bytes in a file that is closed. */
const bytesIn = (file: string): string =>
  withoutTime((JSON.parse(readStateFile(file)?.snapshot ?? '{}') as { exchange: ExchangeSnapshot }).exchange)
const bytesOf = (exchange: SnapshotExchange): string => withoutTime(exchange.snapshot())
/** A refused command changes the time and nothing else, and is not kept. */
const withoutTime = (snapshot: ExchangeSnapshot): string => JSON.stringify({ ...snapshot, time: 0 })

function apply(exchange: Exchange, action: Action): void {
  if (action.do === 'execute') exchange.execute(action.command)
  else if (action.do === 'enter') exchange.enter(action.row)
  else exchange[action.do](action.print)
}

function goesOnFromBeside(file: string): boolean {
  const database = new Database(file, { readonly: true })
  const form = database.pragma('user_version', { simple: true })
  database.close()
  return form === FORM_WITH_BESIDE
}

/** So few that a random script is interrupted by many snapshots. */
const CHECKPOINT_ENTRIES = 30

/** A state and an exchange without one, under the same commands. */
class Pair {
  /** Kills in the middle of a snapshot, and those after which one beside the file is gone on from. */
  static readonly kills = { inSnapshot: 0, afterOne: 0 }
  readonly #script: RandomScript
  readonly #reference: SnapshotExchange
  #file = freshPath()
  #state: ServiceState
  /** What a kill would leave, for sure. */
  #safe: string
  /** Or this, if the state did not wait until it was asked: on a slow machine its timer comes between. */
  #written: string

  constructor(script: RandomScript) {
    this.#script = script
    this.#reference = createExchange(script.config)
    this.#state = open(this.#file, script.config, CHECKPOINT_ENTRIES)
    this.#safe = bytesOf(this.#reference)
    this.#written = this.#safe
  }

  get exchange(): Exchange {
    return this.#reference
  }

  do(action: Action): void {
    apply(this.#reference, action)
    apply(this.#state.exchange, action)
  }

  async settle(): Promise<void> {
    await this.#state.durable()
    this.#isSafe()
  }

  async idle(): Promise<void> {
    await setTimeout(0)
    this.#written = bytesOf(this.#reference)
  }

  checkpoint(): void {
    this.#state.checkpoint()
    this.#isSafe()
  }

  #isSafe(): void {
    this.#safe = bytesOf(this.#reference)
    this.#written = this.#safe
  }

  closeAndReopen(): void {
    this.close()
    this.#state = open(this.#file, this.#script.config, CHECKPOINT_ENTRIES)
    this.#isSafe()
  }

  close(): void {
    this.#state.close()
    expect(bytesIn(this.#file)).toBe(bytesOf(this.#reference))
  }

  /** What a process that is killed now would find when it starts again; this one goes on. */
  lookAfterKill(): void {
    const copy = freshPath()
    copyStateFile(this.#file, copy)
    const [beside, kept] = [snapshotsBeside(copy).length, goesOnFromBeside(copy) ? 1 : 0]
    open(copy, this.#script.config).close()
    const bytes = bytesIn(copy)
    expect(bytes).toBe(bytes === this.#written ? this.#written : this.#safe)
    expect(snapshotsBeside(copy)).toEqual([])
    Pair.kills.afterOne += kept
    if (beside > kept) Pair.kills.inSnapshot += 1
  }
}

async function play(seed: number): Promise<void> {
  const script = randomScript(seed)
  // Not the sequence that the script was drawn from.
  const chance = new Chance(~seed)
  const pair = new Pair(script)
  const source = new CommandSource(script)
  for (const step of script.steps) {
    for (const action of source.actionsOf(step, pair.exchange)) pair.do(action)
    if (chance.oneIn(3)) await pair.settle()
    if (chance.oneIn(8)) await pair.idle()
    if (chance.oneIn(25)) pair.lookAfterKill()
    if (chance.oneIn(40)) pair.checkpoint()
    if (chance.oneIn(40)) pair.closeAndReopen()
  }
  await pair.settle()
  pair.lookAfterKill()
  pair.close()
}

/** What a kill would leave now. */
function killed(file: string): string {
  const copy = freshPath()
  copyStateFile(file, copy)
  return copy
}

/** Someone with money, orders, trades and a key; closed. */
function busyFile(): { readonly file: string; readonly key: string } {
  const file = freshPath()
  const state = open(file)
  const user = state.users.addUser('ann@example.com', true)
  const { text } = state.users.addKey(user, ['ORDER_READ'])
  state.exchange.execute({ type: 'credit', time: 5, account: user.id, asset: 'USD', amount: 10n ** 40n })
  placeBid(state.exchange, user.id, 10)
  state.close()
  return { file, key: text }
}

function placeBid(exchange: Exchange, account: string, price: number, time = 5): void {
  exchange.execute({
    type: 'place',
    time,
    account,
    request: { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', price, qty: 1 },
  })
}

describe('a state that is opened again', () => {
  it('is the same bytes as an exchange that never stopped, closed or killed anywhere under random commands', async () => {
    // On a busy disk it takes more of them to be killed in the middle of a snapshot.
    const isReached = (): boolean => Pair.kills.inSnapshot > 0 && Pair.kills.afterOne > 0
    const isEnough = (played: number): boolean => played >= SCRIPTS && (isReached() || played >= MAX_SCRIPTS)
    for (let seed = PROPERTY_SEED; !isEnough(seed - PROPERTY_SEED); seed += 1) {
      await play(seed).catch((cause: unknown) => {
        throw new Error(again(seed), { cause })
      })
    }
    expect(Pair.kills.inSnapshot).toBeGreaterThan(0)
    expect(Pair.kills.afterOne).toBeGreaterThan(0)
  })

  it('has its users, and their keys still work', () => {
    const { file, key } = busyFile()
    const state = open(file)
    expect(state.isNew).toBe(false)
    expect(state.users.callerOf(key)?.user).toEqual({ id: 'user-1', email: 'ann@example.com', verified: true })
    expect(state.users.revokeKey(key.slice(3, 11))).toBe(true)
    state.users.setVerified(state.users.addUser('bob@example.com', true), false)
    state.close()
    const again = open(file)
    expect(again.users.callerOf(key)).toBeUndefined()
    expect(again.users.users.map(({ id, verified }) => [id, verified])).toEqual([
      ['user-1', true],
      ['user-2', false],
    ])
    again.close()
  })

  it('goes on with its ids', () => {
    const { file } = busyFile()
    const state = open(file)
    placeBid(state.exchange, 'user-1', 9)
    expect(state.exchange.openOrders('user-1').map(({ id }) => id)).toEqual([2, 1])
    state.close()
  })

  it('says whether anything has ever happened in it, and when', async () => {
    const file = freshPath()
    open(file).close()
    const state = open(file)
    expect([state.isNew, state.time]).toEqual([true, 0])
    state.exchange.execute({ type: 'credit', time: 7, account: 'ann', asset: 'USD', amount: 5n })
    await state.durable()
    const killed = freshPath()
    copyStateFile(file, killed)
    state.exchange.ticker(SYMBOL, 9)
    state.close()
    for (const [path, time] of [
      [killed, 7],
      [file, 9],
    ] as const) {
      const again = open(path)
      expect([again.isNew, again.time]).toEqual([false, time])
      again.close()
    }
  })

  it('has nothing to settle before something happens, and lets nothing in after it was closed', () => {
    const state = open(freshPath())
    expect(state.durable()).toBeUndefined()
    state.close()
    state.close()
    expect(() => placeBid(state.exchange, 'ann', 1)).toThrow('the engine has stopped')
  })
})

describe('a state that gets another market', () => {
  const MORE = { ...CONFIG, markets: [market('ETH_USD', { takerFeeBps: '3' }), ...CONFIG.markets, market('BTC_EUR')] }
  const refusedWithout = 'has the market ETH_USD, which the config does not list'

  it('has it from then on, behind those that it had, and is refused without it, killed or closed', async () => {
    const { file } = busyFile()
    const state = open(file, MORE)
    expect(state.addedMarkets).toEqual(['ETH_USD', 'BTC_EUR'])
    expect(state.exchange.markets.map(({ symbol }) => symbol)).toEqual(['BTC_USD', 'ETH_USD', 'BTC_EUR'])
    await state.durable()
    const copy = killed(file)
    state.close()
    for (const each of [copy, file]) {
      expect(() => open(each, CONFIG)).toThrow(`${each}: ${refusedWithout}`)
      const again = open(each, MORE)
      expect(again.addedMarkets).toEqual([])
      expect(again.exchange.markets.map(({ symbol }) => symbol)).toEqual(['BTC_USD', 'ETH_USD', 'BTC_EUR'])
      again.close()
    }
  })

  it('goes on as an exchange that always had it: ids, balances, portfolio, trades; also replayed after a kill', async () => {
    const reference = createExchange({ ...MORE, markets: [...CONFIG.markets, ...MORE.markets.slice(0, 1)] })
    const asked = { ...CONFIG, markets: reference.markets }
    const file = freshPath()
    let state = open(file)
    const both = (action: (exchange: Exchange) => void): void => [state.exchange, reference].forEach(action)
    const credit = (account: string, asset: string): void =>
      both((exchange) => exchange.execute({ type: 'credit', time: 6, account, asset, amount: 1_000_000n }))
    const place = (account: string, symbol: string, side: 'BUY' | 'SELL'): void =>
      both((exchange) => {
        const request = { symbol, side, type: 'LIMIT', price: 7, qty: 11 } as const
        exchange.execute({ type: 'place', time: 6, account, request })
      })
    for (const account of ['ann', 'bob']) for (const asset of ['USD', 'BTC']) credit(account, asset)
    place('ann', SYMBOL, 'BUY')
    place('bob', SYMBOL, 'SELL')
    place('bob', SYMBOL, 'SELL')
    await state.durable()
    const copy = killed(file)
    state.close()
    state = open(copy, asked)
    for (const account of ['ann', 'bob']) credit(account, 'ETH')
    place('ann', 'ETH_USD', 'SELL')
    place('bob', 'ETH_USD', 'BUY')
    place('ann', SYMBOL, 'BUY')
    await state.durable()
    const bytes = bytesOf(reference)
    for (const each of [killed(copy), copy]) {
      if (each === copy) state.close()
      else open(each, asked).close()
      expect(bytesIn(each)).toBe(bytes)
      const again = open(each, asked)
      for (const account of ['ann', 'bob', 'nobody']) {
        expect(again.exchange.portfolio(account, 9)).toEqual(reference.portfolio(account, 9))
        expect(again.exchange.orders(account, { limit: 99, page: 1 })).toEqual(
          reference.orders(account, { limit: 99, page: 1 }),
        )
        expect(again.exchange.fills(account, 99)).toEqual(reference.fills(account, 99))
      }
      for (const { symbol } of reference.markets) {
        expect(again.exchange.trades(symbol, 99)).toEqual(reference.trades(symbol, 99))
        expect(again.exchange.ticker(symbol, 9)).toEqual(reference.ticker(symbol, 9))
      }
      expect(again.exchange.audit()).toEqual(reference.audit())
      again.close()
    }
  })

  it('keeps the profit and loss of everybody when values then need more digits', () => {
    const file = freshPath()
    let state = open(file)
    state.exchange.execute({ type: 'credit', time: 5, account: 'ann', asset: 'USD', amount: 900n })
    state.close()
    state = open(file, { ...CONFIG, markets: [...CONFIG.markets, market('ETH_EUR', { qtyPrecision: 4 })] })
    state.close()
    const finer = [...CONFIG.markets, market('ETH_EUR', { qtyPrecision: 4 }), market('ETH_USD')]
    state = open(file, { ...CONFIG, markets: finer })
    expect(state.addedMarkets).toEqual(['ETH_USD'])
    const { equity, baselineEquity, valueScale } = state.exchange.portfolio('ann', 9)
    expect([equity, baselineEquity, valueScale]).toEqual([9_000_000n, 9_000_000n, 4])
    state.close()
  })

  it('is as new as it was when nothing but that has happened in it', () => {
    const file = freshPath()
    open(file).close()
    const state = open(file, MORE)
    expect(state.isNew).toBe(true)
    state.close()
  })
})

describe('what agents did', () => {
  it('is not in a snapshot, but for what they have and what rests', () => {
    const file = freshPath()
    const state = open(file)
    const [agent = ''] = accountsOfAgents(SYMBOL)
    for (const account of [agent, 'ann']) {
      state.exchange.execute({ type: 'credit', time: 5, account, asset: 'USD', amount: 10n })
      placeBid(state.exchange, account, 3)
      placeBid(state.exchange, account, 2)
      const [last] = state.exchange.openOrders(account)
      state.exchange.execute({ type: 'cancel', time: 5, account, orderId: last?.id ?? 0 })
    }
    state.close()
    const again = open(file)
    const count = (account: string): number => again.exchange.orders(account, { limit: 9, page: 1 }).length
    expect([count(agent), count('ann')]).toEqual([1, 2])
    expect(again.exchange.balances(agent)).toEqual(again.exchange.balances('ann'))
    again.close()
  })
})

describe('a state is refused, and its file left as it is,', () => {
  const refused = (file: string, config: ExchangeConfig, message: string): void => {
    const before = bytesBeside(file)
    expect(() => open(file, config)).toThrow(`${file}: ${message}`)
    expect(bytesBeside(file)).toEqual(before)
  }

  it.each<{ config: ExchangeConfig; message: string }>([
    {
      config: { ...CONFIG, quoteAsset: 'BTC' },
      message:
        'was saved with the quote asset USD, but the config has BTC: change the config to match it, or use another state file',
    },
    {
      config: { ...CONFIG, markets: [market('ETH_USD')] },
      message:
        'has the market BTC_USD, which the config does not list: change the config to match it, or use another state file',
    },
    {
      config: { ...CONFIG, markets: [market('ETH_USD'), ...oneMarket({ name: 'another' }).markets] },
      message: "has BTC_USD with name 'BTC_USD', but the config has 'another'",
    },
    {
      config: { ...CONFIG, markets: [...CONFIG.markets, market('ETH_USD', { pricePrecision: 2 })] },
      message: 'cannot add ETH_USD: its pricePrecision and qtyPrecision would give USD 2 decimals, and the state has 0',
    },
    {
      config: { ...CONFIG, markets: [...CONFIG.markets, market('BTC_EUR', { qtyPrecision: 1 })] },
      message: 'cannot add BTC_EUR: its qtyPrecision would give BTC 1 decimals, and the state has 0',
    },
    {
      config: oneMarket({ pricePrecision: 2 }),
      message: "has BTC_USD with pricePrecision '0', but the config has '2'",
    },
    {
      config: oneMarket({ selfTrade: 'reject' }),
      message: "has BTC_USD with selfTrade 'allow', but the config has 'reject'",
    },
  ])('when it $message', ({ config, message }) => {
    refused(busyFile().file, config, message)
  })

  it('when it was killed, and is asked for other markets', async () => {
    const file = freshPath()
    const state = open(file)
    state.users.addUser('ann@example.com', true)
    await state.durable()
    const killed = freshPath()
    copyStateFile(file, killed)
    state.close()
    refused(killed, oneMarket({ takerFeeBps: '1' }), "has BTC_USD with takerFeeBps '0', but the config has '1'")
    expect(open(killed).users.users).toHaveLength(1)
  })

  it('when its snapshot is of another version', () => {
    const file = freshPath()
    const exchange = { ...createExchange(CONFIG).snapshot(), format: 9 }
    StateFile.create(file, JSON.stringify({ exchange, users: [] })).close()
    refused(file, CONFIG, 'cannot be restored (snapshot: has format 9, this version reads 2)')
  })

  it.each([
    ['[{"type":"cancel","time":1,"account":"ann","orderId":1}]', 'a saved command is now refused: no order 1'],
    ['[{"type":"unheard-of"}]', 'it has an entry of an unknown kind'],
    ['[{"type":', 'Unexpected end of JSON input'],
  ])('when an entry cannot have been: %s', (entries, message) => {
    const file = freshPath()
    const exchange = createExchange(CONFIG).snapshot()
    const state = StateFile.create(file, JSON.stringify({ exchange, users: [] }))
    state.append(entries)
    state.close()
    refused(file, CONFIG, `cannot be restored (${message})`)
  })
})

describe('a snapshot that is written while the state goes on', () => {
  it('is the bytes of the moment at which it was taken, whatever happens meanwhile', () => {
    const script = randomScript(PROPERTY_SEED)
    const exchange = createExchange(script.config)
    const source = new CommandSource(script)
    let count = 0
    for (const step of script.steps) {
      for (const action of source.actionsOf(step, exchange)) apply(exchange, action)
      if ((count += 1) % 20 !== 0) continue
      const [text, expected] = [snapshotText(exchange.cut()), JSON.stringify(exchange.snapshot())]
      const first = text.next().value
      for (const later of script.steps.slice(0, 30)) {
        for (const action of source.actionsOf(later, exchange)) apply(exchange, action)
      }
      expect([first, ...text].join('')).toBe(expected)
    }
    expect(count).toBeGreaterThan(20)
  })

  it('has the time, the lives and the keys of its moment, and what came meanwhile stands behind it', async () => {
    const file = freshPath()
    const state = open(file, CONFIG, 4)
    state.beginLife()
    state.saveTime(100)
    const ann = state.users.addUser('ann@example.com', true)
    const [kept, revoked] = [state.users.addKey(ann, ['ORDER_READ']), state.users.addKey(ann, ['ORDER_READ'])]
    await state.durable()
    while (snapshotsBeside(file).length === 0) await setTimeout(0)
    state.users.revokeKey(revoked.key.id)
    state.saveTime(200)
    await state.durable()
    while (!goesOnFromBeside(killed(file))) await setTimeout(5)
    const copy = killed(file)
    state.close()
    for (const each of [copy, file]) {
      const again = open(each)
      expect([again.time, again.isNew, again.beginLife()]).toEqual([200, false, 2])
      expect(again.users.callerOf(kept.text)?.user).toEqual(ann)
      expect(again.users.callerOf(revoked.text)).toBeUndefined()
      expect(again.users.hasHadKey(revoked.key.id)).toBe(true)
      again.close()
    }
  })

  it.each(['of the same life', 'of the next one'])(
    'goes into the one file at a close %s, with nothing behind it',
    async (which) => {
      const file = freshPath()
      let state = open(file, CONFIG, 1)
      state.exchange.execute({ type: 'credit', time: 5, account: 'ann', asset: 'USD', amount: 10n })
      await state.durable()
      while (!goesOnFromBeside(killed(file))) await setTimeout(5)
      if (which === 'of the next one') {
        const copy = killed(file)
        state.close()
        state = open(copy)
        state.close()
        expect([goesOnFromBeside(copy), snapshotsBeside(copy)]).toEqual([false, []])
        expect(bytesIn(copy)).toBe(bytesIn(file))
      } else state.close()
      expect([goesOnFromBeside(file), snapshotsBeside(file)]).toEqual([false, []])
      const again = open(file)
      expect(again.exchange.balances('ann').get('USD')?.available).toBe(10n)
      again.close()
    },
  )

  it('is given up when the state is closed, and leaves nothing beside it', async () => {
    const file = freshPath()
    const state = open(file, CONFIG, 1)
    state.exchange.execute({ type: 'credit', time: 5, account: 'ann', asset: 'USD', amount: 10n })
    await state.durable()
    while (snapshotsBeside(file).length === 0) await setTimeout(0)
    state.close()
    expect(snapshotsBeside(file)).toEqual([])
    const again = open(file)
    expect(again.exchange.balances('ann').get('USD')?.available).toBe(10n)
    again.close()
    await setTimeout(5)
    expect(snapshotsBeside(file)).toEqual([])
  })
})

describe('orders that no one looks after', () => {
  it('are cancelled: those of the crowd and of agents', () => {
    const state = open(freshPath())
    const [agent = ''] = accountsOfAgents(SYMBOL)
    for (const [account, price] of [
      [CROWD, 5],
      [agent, 4],
      [agent, 3],
      ['ann', 2],
    ] as const) {
      if (account !== CROWD) state.exchange.execute({ type: 'credit', time: 5, account, asset: 'USD', amount: 10n })
      placeBid(state.exchange, account, price)
    }
    cancelAbandonedOrders(state.exchange, 6)
    expect(state.exchange.depth(SYMBOL).bids).toEqual([{ price: 2, qty: 1n }])
    expect(state.exchange.balances(agent).get('USD')).toEqual({ available: 20n, locked: 0n })
    expect(state.exchange.orders(agent, { limit: 9, page: 1 }).map(({ status }) => status)).toEqual([
      'CANCELLED',
      'CANCELLED',
    ])
    state.close()
  })
})

describe('a log that was cut', () => {
  it('opens to a prefix of what happened, whole entries and whole turns', async () => {
    const file = freshPath()
    const state = open(file)
    const reference = createExchange(CONFIG)
    const prefixes = new Map([[0, bytesOf(reference)]])
    for (let turn = 1; turn <= 40; turn += 1) {
      for (let each = 0; each <= turn % 3; each += 1) {
        for (const exchange of [state.exchange, reference]) {
          exchange.execute({ type: 'credit', time: turn, account: 'ann', asset: 'USD', amount: 50n })
          placeBid(exchange, 'ann', 1 + ((turn * 7 + each) % 50), turn)
        }
      }
      await state.durable()
      prefixes.set(turn, bytesOf(reference))
    }
    const killed = freshPath()
    copyStateFile(file, killed)
    state.close()
    const log = readFileSync(`${killed}-wal`)
    const chance = new Chance(3)
    const seen = new Set<number>()
    for (let cut = 0; cut < 200; cut += 1) {
      const copy = freshPath()
      copyStateFile(killed, copy)
      writeFileSync(`${copy}-wal`, log.subarray(0, cut === 0 ? log.length : chance.below(log.length)))
      const turns = readStateFile(copy)?.lastWrite ?? -1
      open(copy).close()
      expect(bytesIn(copy)).toBe(prefixes.get(turns))
      seen.add(turns)
    }
    expect(seen.size).toBeGreaterThan(20)
    expect(seen).toContain(40)
  })
})
