/**
 * A season computed from the entries of its journal alone: the server follows its own journal with it, and `arena
 * verify` reads one, so both come to the same result.
 *
 * Invariant: a sample has everything up to its time, and no line changes a sample that was taken.
 */
import type {
  FillParty,
  SeasonCancel,
  SeasonFill,
  SeasonOrder,
  SeasonPlayer,
  SeasonRecord,
  SeasonSample,
} from '../../arena/season-record.ts'
import { InvariantError } from '../../domain/errors.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import type { Order } from '../../domain/order.ts'
import { isoTime } from '../../domain/time.ts'
import { createExchange } from '../../exchange/create-exchange.ts'
import type { SnapshotExchange } from '../../exchange/exchange.ts'
import { applyEntry, type StateEntry } from '../state/state-entry.ts'
import { nameKey, nameSchema } from './player-name.ts'
import { readSeason, seasonAmounts, strategiesOf, type Season, type SeasonAmounts } from './season.ts'
import { isOfPlayers, type PlayerEntry, type SeasonEntry, type SeasonHead } from './season-entry.ts'
import { seasonResult, type SeasonResult } from './season-result.ts'

const NO_USERS = { apply: () => undefined }

const partyOf = ({ userId, id }: Order): FillParty => ({ account: userId, orderId: id })

export class SeasonFold {
  readonly season: Season
  readonly amounts: SeasonAmounts
  readonly exchange: SnapshotExchange
  /** Names of open invitations by their hashes; undefined for any name. */
  readonly invitations = new Map<string, string | undefined>()
  readonly #players = new Map<string, SeasonPlayer>()
  readonly #accountsByName = new Map<string, string>()
  readonly #orders: SeasonOrder[] = []
  readonly #cancels: SeasonCancel[] = []
  readonly #fills: SeasonFill[] = []
  readonly #samples: SeasonSample[] = []
  #nextSample: number
  /** Time of the latest entry. */
  #latest = 0
  #result: SeasonResult | undefined

  /** @throws {InputError} for terms that cannot be */
  constructor({ season, exchange }: SeasonHead) {
    this.season = readSeason('season', season)
    this.amounts = seasonAmounts('season', this.season, exchange.markets)
    this.exchange = createExchange(exchange)
    this.#nextSample = this.season.start
  }

  get players(): readonly SeasonPlayer[] {
    return [...this.#players.values()]
  }

  player(account: string): SeasonPlayer | undefined {
    return this.#players.get(account)
  }

  hasName(name: string): boolean {
    return this.#accountsByName.has(nameKey(name))
  }

  /** True if a player with an invitation may have a name: one that the season lists, and no other invitation is for. */
  mayBe(name: string, invitation: string): boolean {
    const { players } = this.season.terms
    const strategies = strategiesOf(this.season).map((each) => each.name)
    if (players?.includes(name) === false && !strategies.includes(name)) return false
    const only = this.invitations.get(invitation)
    if (only !== undefined) return only === name
    const reserved = [...(players ?? []), ...strategies, ...this.invitations.values()]
    return !reserved.some((each) => each !== undefined && nameKey(each) === nameKey(name))
  }

  /** True until the first entry at or after the start. */
  get isComing(): boolean {
    return this.#latest < this.season.start && this.#samples.length === 0
  }

  /** The last line of the journal; undefined while the season goes on. */
  get result(): SeasonResult | undefined {
    return this.#result
  }

  /**
   * @param line  number of its line
   * @throws {Error} for an entry that cannot be
   */
  apply(entry: SeasonEntry, line: number): void {
    if (this.#result !== undefined) throw new InvariantError('nothing follows the result')
    if ('time' in entry) this.sampleBefore(entry.time)
    if (entry.type === 'season') throw new InvariantError('only the first line may have the season')
    if (entry.type === 'result') this.#end(entry)
    else if (isOfPlayers(entry)) this.#applyPlayer(entry, line)
    else this.#applyState(entry, line)
    // A virtual clock notes its start before its traders trade until then.
    if ('time' in entry && entry.type !== 'time') this.#latest = Math.max(this.#latest, entry.time)
  }

  /** Takes the samples before a moment: everything until then has happened. */
  sampleBefore(time: number): void {
    const { end, sampleMs } = this.season
    while (this.#nextSample < time && this.#nextSample <= end) {
      this.#samples.push({ time: this.#nextSample, equity: this.players.map(({ account }) => this.#equity(account)) })
      this.#nextSample += sampleMs
    }
  }

  /** The result at the end, when everything was cancelled. @param time  Unix milliseconds */
  conclude(time: number): SeasonResult {
    this.sampleBefore(Infinity)
    return this.standing(time, true)
  }

  /** The result as if the season ended now. @param time  Unix milliseconds */
  standing(time: number, isOver = false): SeasonResult {
    const exchange = { scales: this.exchange.scales, balances: this.exchange.balances.bind(this.exchange) }
    return seasonResult(this.record(), exchange, this.season.terms.seed, time, isOver)
  }

  record(): SeasonRecord {
    const { rules, quoteAsset, valueScale, credits } = this.amounts
    const { start, end } = this.season
    const { markets } = this.exchange
    const events = { orders: this.#orders, cancels: this.#cancels, fills: this.#fills, samples: this.#samples }
    return { rules, markets, quoteAsset, valueScale, players: this.players, ...events, start, end, credits }
  }

  #end(result: SeasonResult): void {
    if (result.time < Math.max(this.season.end, this.#latest)) {
      throw new InvariantError(`the season ended at ${isoTime(result.time)}, before its end`)
    }
    const player = this.players.find(({ account }) => this.exchange.openOrders(account).length > 0)
    if (player !== undefined) throw new InvariantError(`${player.name} has open orders at the end`)
    this.#result = result
  }

  #applyPlayer(entry: PlayerEntry, line: number): void {
    const time = 'time' in entry ? entry.time : this.#latest
    if (time < this.#latest) throw new InvariantError('it is earlier than the lines before')
    if (!this.isComing && entry.type !== 'stopped') throw new InvariantError('the season had begun')
    switch (entry.type) {
      case 'invited':
        this.invitations.set(entry.invitation, entry.name)
        return
      case 'joined':
        this.#join(entry, line)
        return
      case 'left': {
        const player = this.#players.get(entry.account)
        if (player === undefined) throw new InvariantError('it cannot leave')
        this.#players.delete(entry.account)
        this.#accountsByName.delete(nameKey(player.name))
        return
      }
      case 'stopped':
        this.#stop(entry, line)
    }
  }

  #stop({ account, reason }: Extract<PlayerEntry, { type: 'stopped' }>, line: number): void {
    const player = this.#players.get(account)
    const isRunning = player?.strategy !== undefined && player.strategy.stopped === undefined
    if (!isRunning || this.exchange.openOrders(account).length > 0) throw new InvariantError('it cannot be stopped')
    this.#players.set(account, { ...player, strategy: { stopped: { reason, line } } })
  }

  #join({ time, account, name, invitation }: Extract<PlayerEntry, { type: 'joined' }>, line: number): void {
    if (!this.invitations.has(invitation)) throw new InvariantError('a player joined without an invitation')
    const isFree = nameSchema.safeParse(name).success && !this.hasName(name) && this.mayBe(name, invitation)
    if (!isFree) throw new InvariantError('the name cannot be')
    for (const [asset, { available, locked }] of this.exchange.balances(account)) {
      if (available === (this.amounts.credits.get(asset) ?? 0n) && locked === 0n) continue
      throw new InvariantError(`${name} joined with another balance of ${asset} than the season gives`)
    }
    this.invitations.delete(invitation)
    const isStrategy = strategiesOf(this.season).some((each) => each.name === name)
    this.#players.set(account, { account, name, joined: time, line, ...(isStrategy ? { strategy: {} } : {}) })
    this.#accountsByName.set(nameKey(name), account)
  }

  #applyState(entry: StateEntry, line: number): void {
    this.#check(entry)
    for (const event of applyEntry(entry, this.exchange, NO_USERS)) this.#hear(event, entry.type, line)
  }

  /** @throws {InvariantError} for what no player may do, or be given */
  #check(entry: StateEntry): void {
    if (entry.type !== 'place' && entry.type !== 'credit') return
    const player = this.#players.get(entry.account)
    if (player === undefined) return
    if (entry.type === 'credit') throw new InvariantError(`${player.name} was credited after joining`)
    if (player.strategy?.stopped !== undefined) throw new InvariantError(`${player.name} traded after it was stopped`)
    const { start, end } = this.season
    if (entry.time >= start && entry.time < end) return
    throw new InvariantError(`${player.name} traded at ${isoTime(entry.time)}, outside of the season`)
  }

  #hear(event: ExchangeEvent, cause: StateEntry['type'], line: number): void {
    const { time } = event
    if (event.type === 'traded') {
      const { trade, maker, taker } = event
      const { symbol, price, qty } = trade
      const parties = { maker: partyOf(maker), taker: partyOf(taker), takerSide: taker.side }
      this.#fills.push({ line, time, symbol, price, qty, ...parties })
    } else if (event.type === 'order-accepted' && this.#players.has(event.order.userId)) {
      const { symbol, side, type, price, qty } = event.order
      this.#orders.push({ line, time, ...partyOf(event.order), symbol, side, type, price, qty })
    } else if (event.type === 'order-cancelled' && cause === 'cancel' && this.#players.has(event.order.userId)) {
      this.#cancels.push({ line, time, ...partyOf(event.order) })
    }
  }

  #equity(account: string): bigint {
    const { quoteAsset, valueScale, scales } = this.amounts
    const balances = this.exchange.balances(account)
    const heldOf = (asset: string): bigint => {
      const { available, locked } = balances.get(asset) ?? { available: 0n, locked: 0n }
      return available + locked
    }
    const valueAt = (units: bigint, scale: number): bigint => units * 10n ** BigInt(valueScale - scale)
    return this.exchange.markets.reduce(
      (sum, { symbol, baseAsset, pricePrecision }) => {
        const price = BigInt(this.exchange.market(symbol).lastPrice)
        return sum + valueAt(heldOf(baseAsset) * price, (scales.get(baseAsset) ?? 0) + pricePrecision)
      },
      valueAt(heldOf(quoteAsset), scales.get(quoteAsset) ?? 0),
    )
  }
}
