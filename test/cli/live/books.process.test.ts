/**
 * Three strategies of one config file, each with its capital, on one account of the emulator, by the shipped command.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Decimal } from '../../../src/domain/decimal.ts'
import { persistedBooks, persistedReserve } from '../../../src/store/state/live/persisted-books.ts'
import { LiveState } from '../../../src/store/state/live/live-state.ts'
import { Chance } from '../../exchange/rig/chance.ts'
import { runCli } from '../rig/run-cli.ts'
import { again, PROPERTY_SEED } from '../../property/property.ts'
import { liveCases, strategyOf, type LiveCase } from './rig/live-cases.ts'
import { eventually, pause, repeating } from './rig/patience.ts'
import type { SessionProcess } from './rig/session-process.ts'

const inCase = liveCases()

const FEES = { makerFeeBps: '7.5', takerFeeBps: '12.5' }
const CONFIG = {
  markets: ['BTC_USD', 'ETH_USD'].map((symbol) => ({ symbol, pricePrecision: 2, qtyPrecision: 8, ...FEES })),
}

interface Listed {
  readonly name: string
  /** Expression of its intents. */
  readonly run: string
  readonly capital?: { readonly share: number } | { readonly amount: string }
  readonly limits?: Readonly<Record<string, string>>
}

/** Starts `papertape live` without a strategy on a config file with this list. */
function started({ folder, start }: LiveCase, listed: readonly Listed[], limits?: object): SessionProcess {
  const strategies = listed.map(({ name, run, ...rest }) => {
    const use = join(folder, `${name}.ts`)
    writeFileSync(use, strategyOf(name, run))
    return { use, name, ...rest }
  })
  const config = join(folder, 'papertape.config.json')
  writeFileSync(config, JSON.stringify({ strategies, limits, makerFee: FEES.makerFeeBps, takerFee: FEES.takerFeeBps }))
  return start([], { args: ['--config', config, '--reconcile-ms', '3000'] })
}

type Sums = Readonly<Record<string, string>>

interface Books {
  readonly books: Readonly<Record<string, Sums>>
  readonly reserve: Sums
  /** Owner of each order. */
  readonly owners: ReadonlyMap<string, string>
}

function booksIn(folder: string): Books {
  const state = LiveState.open(join(folder, 'state', 'live.db'))
  try {
    const books = Object.fromEntries([...persistedBooks(state)].map(([owner, { held }]) => [owner, held]))
    const owners = state
      .intents()
      .flatMap(({ orderId, owner }) => (orderId === undefined ? [] : [[orderId, owner] as const]))
    return { books, reserve: persistedReserve(state) ?? {}, owners: new Map(owners) }
  } finally {
    state.close()
  }
}

const sum = (amounts: readonly (string | undefined)[]): Decimal =>
  amounts.reduce((total, amount) => total.plus(amount ?? 0), new Decimal(0))

/** Books plus reserve, which should be the account. */
const sumOf = ({ books, reserve }: Books, asset: string): string =>
  sum([...Object.values(books), reserve].map((amounts) => amounts[asset])).toFixed()

async function accountOf({ venue }: LiveCase): Promise<Sums> {
  const balances = await venue.balances()
  return Object.fromEntries(
    Object.entries(balances).map(([asset, { available, locked }]) => [asset, sum([available, locked]).toFixed()]),
  )
}

const NEVER = 'NEVER'

it('moves a changed capital between book and reserve, and refuses to start if they do not have it free', () =>
  inCase({ config: CONFIG }, async (stage) => {
    const withAmount = (amount: string): readonly Listed[] => [
      { name: 'spender', run: NEVER, capital: { amount } },
      { name: 'other', run: NEVER, capital: { share: 0.5 } },
    ]
    for (const [amount, reserve] of [
      ['1000', '499000'],
      ['600.5', '499399.5'],
    ] as const) {
      const session = started(stage, withAmount(amount))
      await session.started()
      expect(await session.stop()).toBe(0)
      const read = booksIn(stage.folder)
      expect([read.books.spender?.USD, read.reserve.USD]).toEqual([amount, reserve])
    }
    const refused = started(stage, withAmount('500001'))
    expect(await refused.ended).toMatchObject({ code: 2 })
    expect(refused.stderr).toContain("'spender' is to get 499400.5 USD more, but the reserve has 499399.5 free")

    const alone = started(stage, withAmount('600.5').slice(0, 1))
    await alone.started()
    expect(alone.output).toContain("'other' is not in the list of strategies and keeps its book: 5 BTC, 500000 USD")
    expect(await alone.stop()).toBe(0)
    expect(booksIn(stage.folder).books.other).toMatchObject({ USD: '500000', BTC: '5' })
  }))

it('limits the losses of all strategies together, also after kill -9, until an operator resumes them', () =>
  inCase({ config: CONFIG }, async (stage) => {
    const { venue, folder } = stage
    const buys = "c.trades('BTC_USD').pipe(map(() => c.buyLimit('BTC_USD', '41000.00', '0.01')))"
    const listed: readonly Listed[] = [
      { name: 'holder', run: NEVER, capital: { share: 0.5 } },
      { name: 'buys', run: buys, capital: { amount: '9000' } },
    ]
    const limits = { dayLoss: '50', ordersPerMinute: 3 }
    const first = started(stage, listed, limits)
    await first.started()
    await repeating(() => venue.trade('42000.00'), first.until('"type":"refusal"'))
    // The account has ten BTC, of which the strategy that buys has none.
    await repeating(() => venue.trade('41990.00'), first.until('"type":"state"'))
    first.signal('SIGKILL')
    await first.ended

    const second = started(stage, listed, limits)
    const restored =
      /restored: day started at \d+ USD of all strategies together, peak \d+ USD of all strategies together, .*state REDUCING since .* because all strategies together: the loss of the day is .*, until the next UTC day, or until/
    await second.until(restored)
    await eventually(async () => (await venue.openOrders()).length === 0, () => second.output) // prettier-ignore
    const before = (await venue.allOrders()).length
    await repeating(() => venue.trade('42000.00'), second.until('"type":"refusal"'))
    expect(await second.stop()).toBe(0)
    expect((await venue.allOrders()).length).toBe(before)

    const operator = (...args: string[]): ReturnType<typeof runCli> =>
      runCli(['live', ...args, '--state', `${folder}/state`], { cwd: folder })
    const { stdout } = await operator('status')
    for (const name of ['holder', 'buys'])
      expect(stdout).toMatch(
        new RegExp(`^${name} is REDUCING since .*: all strategies together: the loss of the day`, 'm'),
      )
    expect((await operator('resume')).code).toBe(0)
    const third = started(stage, listed, { dayLoss: '50' })
    await third.started()
    await repeating(() => venue.trade('41990.00'), eventually(async () => (await venue.openOrders()).length > 0, () => third.output)) // prettier-ignore
    expect(third.output).not.toContain('restored')
    expect(await third.stop()).toBe(0)
  }))

it('goes on with the limits of the wallet after one strategy has failed', () =>
  inCase({ config: CONFIG }, async (stage) => {
    const { venue } = stage
    const fails = "c.trades('BTC_USD').pipe(map(() => { throw new Error('enough') }))"
    const listed: readonly Listed[] = [
      { name: 'fails', run: fails, capital: { share: 0.5 } },
      { name: 'holder', run: "c.trades('BTC_USD').pipe(map(() => []))", capital: { amount: '9000' } },
    ]
    const limits = { dayLoss: '50' }
    const first = started(stage, listed, limits)
    await first.started()
    await repeating(() => venue.trade('42000.00'), first.until('"type":"ended"'))
    await repeating(() => venue.trade('41990.00'), first.until('"type":"state"'))
    expect(first.events('state')).toMatchObject([{ owner: 'holder', state: 'REDUCING' }])
    expect(await first.stop()).toBe(1)
  }))

it('gives each strategy its capital, and refuses what its book cannot pay although the account can', () =>
  inCase({ config: CONFIG }, async (stage) => {
    const spender = `c.trades('BTC_USD').pipe(first(), mergeMap(() => [
      c.buyLimit('BTC_USD', '41000.00', '0.1'), c.buyLimit('BTC_USD', '41000.00', '0.01'), c.buyLimit('BTC_USD', '41000.00', '0.02'),
    ]))`
    const session = started(stage, [
      // The account holds 10 BTC, which are worth more than the limit; the book has none of them.
      { name: 'spender', run: spender, capital: { amount: '1000' }, limits: { position: '10000' } },
      { name: 'sharer', run: NEVER, capital: { share: 0.25 } },
      { name: 'saver', run: NEVER, capital: { amount: '5000.5' } },
    ])
    await session.started()
    await repeating(
      () => stage.venue.trade('42000.00'),
      eventually(
        () => session.events('refusal').length === 2,
        () => session.output,
      ),
    )
    expect(session.events('refusal')).toMatchObject([
      { owner: 'spender', code: 'INSUFFICIENT_BALANCE' },
      { owner: 'spender', code: 'INSUFFICIENT_BALANCE' },
    ])
    await eventually(
      async () => (await stage.venue.openOrders()).length === 1,
      () => session.output,
    )
    expect(await session.stop()).toBe(0)
    const read = booksIn(stage.folder)
    expect(read.books).toMatchObject({
      spender: { USD: '1000', BTC: '0' },
      sharer: { USD: '250000', BTC: '2.5' },
      saver: { USD: '5000.5', BTC: '0' },
    })
    expect(read.reserve).toMatchObject({ USD: '743999.5', BTC: '7.5' })
    expect(session.report('spender').config.credit).toMatchObject({ USD: '1000', BTC: '0' })
    expect(session.report('sharer').audit).toMatchObject({ ok: true, assets: { USD: { held: '1000000' } } })
    expect(session.output).not.toContain('than the books')
    expect(session.journal('refused', 'spender')).toMatchObject([
      { by: 'book', message: expect.stringContaining("the book of 'spender' has 1000 free") as unknown },
      { by: 'book', message: expect.stringContaining("the book of 'spender' has") as unknown },
    ])
  }))

/** Orders at each trade of others: takers and makers, filled in parts. */
const TAKER = "c.trades('BTC_USD').pipe(filter((t) => !t.isOwn), map(() => c.buyMarket('BTC_USD', '0.00123457')))"
const BIDDER =
  "c.trades('BTC_USD').pipe(filter((t) => !t.isOwn), map((t) => c.buyLimit('BTC_USD', t.price.minus('1.37'), '0.00719993')))"
const SELLER =
  "c.trades('BTC_USD').pipe(filter((t) => !t.isOwn), map((t) => c.sellLimit('BTC_USD', t.price.plus('2.11'), '0.00311117')))"
/** More of them find rarer faults: `BOOK_KILLS=100`. */
const KILLS = Number(process.env.BOOK_KILLS ?? 6)

it(`continues each book over ${KILLS} kills: capital plus what the orders of its strategy did`, () =>
  inCase({ config: CONFIG }, async (stage) => {
    const chance = new Chance(PROPERTY_SEED)
    const { venue, folder } = stage
    const listed: readonly Listed[] = [
      { name: 'taker', run: TAKER, capital: { amount: '2000' } },
      { name: 'bidder', run: BIDDER, capital: { share: 0.1 } },
      { name: 'seller', run: SELLER, capital: { share: 0.3 } },
    ]
    const capital: Readonly<Record<string, Sums>> = {
      taker: { USD: '2000', BTC: '0' },
      bidder: { USD: '100000', BTC: '1' },
      seller: { USD: '300000', BTC: '3' },
    }
    const trade = async (): Promise<void> => {
      const price = (42_000 + chance.below(1_000) / 100).toFixed(2)
      await venue.trade(price, '0.0005')
      await venue.crowdOrder({
        side: chance.oneIn(2) ? 'BUY' : 'SELL',
        price,
        qty: `0.00${1_000 + chance.below(8_999)}`,
      })
    }
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const session = started(stage, listed)
      await session.started()
      for (let trades = 1 + chance.below(3); trades > 0; trades -= 1) {
        await trade()
        await pause(chance.below(300))
      }
      await session.kill()
      // Fills while no session runs.
      if (chance.oneIn(2)) await trade()
    }
    const last = started(stage, listed.map((each) => ({ ...each, run: NEVER }))) // prettier-ignore
    await last.started()
    expect(await last.stop()).toBe(0)

    const read = booksIn(folder)
    const account = await accountOf(stage)
    expect([sumOf(read, 'USD'), sumOf(read, 'BTC')], again()).toEqual([account.USD, account.BTC])
    const fills = await venue.fills()
    // The taker spends its capital within forty kills.
    expect(fills.length).toBeGreaterThan(Math.min(KILLS, 40))
    for (const [owner, { USD = '0', BTC = '0' }] of Object.entries(capital)) {
      const own = fills.filter(({ orderId }) => read.owners.get(orderId) === owner)
      const signed = (side: string): number => (side === 'BUY' ? 1 : -1)
      const base = own.reduce(
        (total, { side, qty }) => total.plus(new Decimal(qty).times(signed(side))),
        new Decimal(BTC),
      )
      expect(read.books[owner]?.BTC, owner).toBe(base.toFixed())
      const quote = own.reduce(
        (total, { side, qty, price }) => total.minus(new Decimal(qty).times(price).times(signed(side))),
        new Decimal(USD),
      )
      const fees = quote.minus(read.books[owner]?.USD ?? 0)
      expect(fees.gt(0) || own.length === 0, `fees of ${owner}`).toBe(true)
      const { config, audit } = last.report(owner)
      expect(audit, owner).toMatchObject({ ok: true })
      expect(config.credit.USD, owner).toBeDefined()
    }
    expect(read.owners.size).toBeGreaterThan(Math.min(KILLS, 40))
  }))
