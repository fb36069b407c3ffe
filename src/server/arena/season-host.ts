/**
 * Hosts a season in the world of an emulator: keeps its journal, lets players join before the start, lets them trade
 * until the end, and concludes it.
 */
import { hash } from 'node:crypto'
import type { SeasonPlayer } from '../../arena/season-record.ts'
import { InputError, invariant } from '../../domain/errors.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import { isoTime } from '../../domain/time.ts'
import { createExchange } from '../../exchange/create-exchange.ts'
import type { ExchangeConfig } from '../../exchange/exchange.ts'
import { version } from '../../runtime/version.ts'
import { agentsOf } from '../../simulation/agents/agent-population.ts'
import { EVENT_KIND } from '../../simulation/event-queue.ts'
import type { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import { fieldError, ServiceError } from '../envelope/service-error.ts'
import { SCOPES } from '../service/api-key.ts'
import type { Call } from '../service/route.ts'
import type { Secrets } from '../service/secrets.ts'
import type { Service } from '../service/service.ts'
import { UserRegistry } from '../service/user-registry.ts'
import { JournaledExchange } from '../state/journaled-exchange.ts'
import type { ServiceState } from '../state/service-state.ts'
import { applyEntry } from '../state/state-entry.ts'
import { isOfPlayers } from './season-entry.ts'
import { SeasonJournal } from './season-journal.ts'
import { MAX_PLAYERS, seasonAmounts, strategiesOf, type Season, type StrategyTerms } from './season.ts'

/** Invitations that are open at the same time. */
const MAX_INVITATIONS = 10_000
const CODE_BYTES = 16

export interface SeasonFiles {
  /** Name of the season file in messages. */
  readonly where: string
  readonly journal: string
}

const CANNOT_REPLAY = worded`has a season that is not over, and ${setting('replay')} would begin again with the first trade: use another --journal`

/** The part of a state that a journal has no use for. */
const ONLY_A_JOURNAL = {
  addedMarkets: [],
  replace: (): never => {
    throw new InputError('season', 'its world cannot be replaced')
  },
  saveAtOnce: (work: () => void) => {
    work()
  },
  checkpoint: () => undefined,
  listen: () => undefined,
}

/** A player with a new key. */
export interface JoinedPlayer extends Pick<SeasonPlayer, 'account' | 'name'> {
  readonly key: string
}

/** A strategy that may trade, with its key. */
export interface TradingStrategy {
  readonly terms: StrategyTerms
  readonly account: string
  readonly key: string
}

/** Longest reason on the board: that of an error may be any text. */
const MAX_REASON = 300

export class SeasonHost {
  readonly season: Season
  readonly #files: SeasonFiles
  readonly #isReplayed: boolean
  #journal: SeasonJournal | undefined
  #secrets: Secrets | undefined
  #users: UserRegistry | undefined
  #simulated: SimulatedMarkets | undefined

  /** @param isReplayed  recorded trades are replayed */
  constructor(season: Season, files: SeasonFiles, isReplayed = false) {
    this.season = season
    this.#files = files
    this.#isReplayed = isReplayed
  }

  get journal(): SeasonJournal {
    invariant(this.#journal !== undefined, 'the journal is opened before the world is made')
    return this.#journal
  }

  get journalFile(): string {
    return this.#files.journal
  }

  /** @throws {InputError} for terms that do not fit the markets, and for an unusable journal */
  openState(exchange: ExchangeConfig, secrets: Secrets, onFailure: (error: unknown) => void): ServiceState {
    const { where, journal: path } = this.#files
    // Fails before a journal is begun.
    seasonAmounts(where, this.season, exchange.markets)
    const own = createExchange(exchange)
    const users = new UserRegistry(secrets, (entry) => {
      journal.add(entry)
    })
    let [time, life, isNew] = [0, 0, true]
    const head = { type: 'season', papertape: version(), season: this.season.terms, exchange } as const
    const journal = SeasonJournal.open(
      path,
      head,
      (entry) => {
        if ('time' in entry) time = Math.max(time, entry.time)
        if (entry.type === 'life') life += 1
        else if (entry.type !== 'time' && !isOfPlayers(entry)) isNew = false
        if (entry.type !== 'season' && entry.type !== 'result' && !isOfPlayers(entry)) applyEntry(entry, own, users)
      },
      onFailure,
    )
    if (this.#isReplayed && journal.chain.lines > 1 && journal.fold.result === undefined) {
      journal.close()
      throw new InputError(path, CANNOT_REPLAY)
    }
    this.#journal = journal
    this.#secrets = secrets
    this.#users = users
    return {
      exchange: new JournaledExchange(own, journal),
      users,
      isNew,
      ...ONLY_A_JOURNAL,
      time,
      saveTime: (now) => {
        if (now > time) journal.add({ type: 'time', time: (time = now) })
      },
      beginLife: () => {
        journal.add({ type: 'life', life: (life += 1) })
        return life
      },
      snapshot: () => own.snapshot(agentsOf(own)),
      durable: () => journal.durable(),
      close: () => {
        journal.close()
      },
    }
  }

  enter(simulated: SimulatedMarkets): void {
    this.#simulated = simulated
    const { fold } = this.journal
    const { start, end, terms } = this.season
    simulated.pauses.gate = ({ time, account }) => {
      const player = fold.player(account)
      // A request of it may still be under way.
      if (player?.strategy?.stopped !== undefined) return `${player.name} was stopped`
      if (player === undefined || (time >= start && time < end)) return undefined
      return time < start
        ? `the season ${terms.name} has not begun: it begins at ${isoTime(start)}`
        : `the season ${terms.name} is over since ${isoTime(end)}`
    }
    if (fold.result !== undefined) return
    const conclude = (): void => {
      this.#conclude(simulated)
    }
    if (simulated.queue.now() >= end) conclude()
    else simulated.queue.schedule(end, EVENT_KIND.data, conclude, true)
  }

  /**
   * Makes codes with which one player each can join.
   *
   * @param names  of the only players that may use them; undefined for any
   * @throws {ServiceError} once the season has begun, or with too many invitations
   */
  invite(names: readonly (string | undefined)[], now: number): readonly string[] {
    this.#checkIsComing(now)
    this.#checkHasRoom(names.length)
    return names.map((name) => {
      const code = this.#random(CODE_BYTES)
      const invitation = invitationOf(code)
      this.journal.add({ type: 'invited', invitation, ...(name === undefined ? {} : { name }) })
      return code
    })
  }

  /** Codes for the players that the season names, made once. */
  inviteFirst(names: readonly string[]): readonly string[] {
    const { invitations, players, isComing } = this.journal.fold
    return isComing && invitations.size + players.length === 0 ? this.invite(names, 0) : []
  }

  /** Name for which an invitation is; undefined for any. @throws {ServiceError} for a wrong or used code */
  invitedName(code: string, now: number): string | undefined {
    this.#checkIsComing(now)
    const { invitations } = this.journal.fold
    const invitation = invitationOf(code)
    if (invitations.has(invitation)) return invitations.get(invitation)
    throw fieldError('code', 'there is no such invitation, or it was used already: ask for another')
  }

  /** @param name  already checked @throws {ServiceError} for a code or name that cannot be used */
  join({ service, now }: Call, code: string, name: string): JoinedPlayer {
    const { fold } = this.journal
    const only = this.invitedName(code, now)
    if (only !== undefined && only !== name) throw fieldError('name', `the invitation is for ${only}`)
    if (fold.hasName(name)) throw fieldError('name', `${name} is taken: choose another`)
    if (!fold.mayBe(name, invitationOf(code))) throw fieldError('name', `${name} has an invitation of its own`)
    if (fold.players.length >= MAX_PLAYERS) throw fieldError('code', `the season has ${MAX_PLAYERS} players already`)
    return this.#add(service, now, { name, invitation: invitationOf(code) })
  }

  /**
   * Makes the strategies of the season players, before its start.
   *
   * @returns those that may trade, each with a new key: earlier ones are revoked
   */
  enterStrategies(): readonly TradingStrategy[] {
    const { users, simulated, journal } = this.#world()
    const { fold } = journal
    if (fold.result !== undefined) return []
    return strategiesOf(this.season).flatMap((terms) => {
      const { name } = terms
      const known = fold.players.find((each) => each.name === name)
      if (known?.strategy?.stopped !== undefined) return []
      if (known === undefined) {
        // The first start was killed, and the season has begun since.
        if (!fold.isComing || simulated.queue.now() >= this.season.start) return []
        const invitation = invitationOf(this.#random(CODE_BYTES))
        journal.add({ type: 'invited', invitation, name })
        return [
          {
            terms,
            ...this.#add({ users, execute: (command) => simulated.execute(command) }, simulated.queue.now(), {
              name,
              invitation,
            }),
          },
        ]
      }
      const user = users.user(known.account)
      invariant(user !== undefined, 'a player is a user')
      for (const { id } of users.keysOf(user)) users.revokeKey(id)
      return [{ terms, account: user.id, key: users.addKey(user, SCOPES).text }]
    })
  }

  /**
   * Ends a strategy: its orders are cancelled, its key is revoked, and the board shows the reason. Does nothing once
   * the season is over.
   */
  stopStrategy(account: string, why: string): void {
    const { users, simulated, journal } = this.#world()
    const user = users.user(account)
    if (journal.fold.result !== undefined || user === undefined) return
    const time = this.#cancelAll(simulated, account)
    for (const { id } of users.keysOf(user)) users.revokeKey(id)
    const reason = why.length > MAX_REASON ? `${why.slice(0, MAX_REASON - 3)}...` : why
    journal.add({ type: 'stopped', time, account, reason })
  }

  /**
   * Lets a player join again before the start, with a new code: the key is revoked, and the name is free.
   *
   * @throws {ServiceError} for an unknown player, and once the season has begun
   */
  reset({ service, now }: Call, name: string): string {
    this.#checkIsComing(now)
    const player = this.journal.fold.players.find((each) => each.name === name)
    if (player === undefined) throw fieldError('name', 'there is no such player')
    if (player.strategy !== undefined) throw fieldError('name', `${name} is a strategy, which the server runs`)
    this.#checkHasRoom(1)
    const user = service.users.user(player.account)
    if (user !== undefined) service.users.deleteUser(user)
    this.journal.add({ type: 'left', time: now, account: player.account })
    const [code] = this.invite([player.name], now)
    invariant(code !== undefined, 'one code for one name')
    return code
  }

  #conclude(simulated: SimulatedMarkets): void {
    const { fold } = this.journal
    for (const { account } of fold.players) this.#cancelAll(simulated, account)
    this.journal.add(fold.conclude(simulated.queue.now()))
  }

  /** @returns the time of the market, Unix milliseconds */
  #cancelAll(simulated: SimulatedMarkets, account: string): number {
    const time = simulated.queue.now()
    for (const { id: orderId } of simulated.exchange.openOrders(account)) {
      simulated.execute({ type: 'cancel', time, account, orderId })
    }
    return time
  }

  /** A new player, with the credits of the season. */
  #add(
    world: Pick<Service, 'users' | 'execute'>,
    time: number,
    { name, invitation }: { readonly name: string; readonly invitation: string },
  ): JoinedPlayer {
    const { users } = world
    const user = users.addUser(`${users.nextId}@arena.invalid`, true)
    const { text: key } = users.addKey(user, SCOPES)
    for (const [asset, amount] of this.journal.fold.amounts.credits) {
      if (amount === 0n) continue
      const [event] = world.execute({ type: 'credit', time, account: user.id, asset, amount })
      invariant(event?.type === 'credited', 'a credit is not refused')
    }
    this.journal.add({ type: 'joined', time, account: user.id, name, invitation })
    return { account: user.id, name, key }
  }

  #world(): { readonly users: UserRegistry; readonly simulated: SimulatedMarkets; readonly journal: SeasonJournal } {
    const [users, simulated] = [this.#users, this.#simulated]
    invariant(users !== undefined && simulated !== undefined, 'the world was made')
    return { users, simulated, journal: this.journal }
  }

  #checkHasRoom(count: number): void {
    if (this.journal.fold.invitations.size + count <= MAX_INVITATIONS) return
    throw fieldError('count', `at most ${MAX_INVITATIONS} invitations are open at the same time`)
  }

  #checkIsComing(now: number): void {
    if (now < this.season.start) return
    throw new ServiceError('FORBIDDEN', `the season has begun: players could join until ${isoTime(this.season.start)}`)
  }

  #random(count: number): string {
    invariant(this.#secrets !== undefined, 'the state is open')
    return this.#secrets.bytes(count).toString('base64url')
  }
}

const invitationOf = (code: string): string => hash('sha256', code, 'base64url')
