/** An arena: an emulator that hosts a season. */
import { existsSync } from 'node:fs'
import { InputError } from '../../domain/errors.ts'
import { isoTime } from '../../domain/time.ts'
import { DEFAULT_MARKETS } from '../emulator/emulator-config.ts'
import type { EmulatorOptions } from '../emulator/emulator-options.ts'
import { startExtended, type Emulator } from '../emulator/emulator.ts'
import { MACHINE_CLOCK } from '../service/machine-clock.ts'
import { arenaRoutes } from './arena-routes.ts'
import { SeasonHost, type SeasonFiles } from './season-host.ts'
import { readSeason } from './season.ts'

export interface ArenaOptions
  extends Omit<EmulatorOptions, 'config' | 'configName' | 'state' | 'world' | 'seed'>, SeasonFiles {
  /** Content of the season file. */
  readonly season: unknown
}

export interface Arena extends Pick<
  Emulator,
  'baseUrl' | 'streamUrl' | 'emulatorUrl' | 'markets' | 'addedMarkets' | 'setAside' | 'close' | 'advance'
> {
  readonly host: SeasonHost
  /** Address without a path. */
  readonly url: string
  /** Codes for the players that the season names, made at the first start: shown only once. */
  readonly invited: readonly { readonly name: string; readonly code: string }[]
}

/** Default markets; undefined if they are those of recorded trades or of a live service. */
const ownMarkets = ({ replay = [], mirror }: EmulatorOptions): typeof DEFAULT_MARKETS | undefined =>
  replay.length > 0 || mirror !== undefined ? undefined : DEFAULT_MARKETS

/** Start of a virtual clock before that of the season, for players to join. */
const JOINING_MS = 3_600_000

/**
 * @throws {InputError} for a wrong season, option or journal, or a port that is in use
 * @throws {ExchangeError} if the service to mirror cannot be used
 */
export async function startArena({ season: given, where, journal, ...options }: ArenaOptions): Promise<Arena> {
  const season = readSeason(where, given)
  const { agents, markets, quoteAsset, limits, rules, seed, players = [] } = season.terms
  const isNew = !existsSync(journal)
  const start = options.virtualClock === true && isNew ? (options.start ?? season.start - JOINING_MS) : options.start
  if (isNew && (start ?? MACHINE_CLOCK.now()) >= season.start) {
    throw new InputError(
      `${where} start`,
      `expected a time to come, because players join before it, got ${isoTime(season.start)}`,
    )
  }
  const selfTrade = rules.selfTrading === 'reject' ? ('reject' as const) : ('allow' as const)
  const config = {
    ...{ agents, quoteAsset, limits, users: [] },
    markets: (markets ?? ownMarkets(options))?.map((market) => ({ ...market, selfTrade })),
  }
  const host = new SeasonHost(season, { where, journal })
  const extension = {
    routes: arenaRoutes(host),
    openState: host.openState.bind(host),
    enter: host.enter.bind(host),
  }
  const emulator = await startExtended({ ...options, start, seed, config, configName: where }, extension)
  const codes = isNew ? host.invite(players, 0) : []
  await host.journal.durable()
  const invited = codes.map((code, index) => ({ name: players[index] ?? '', code }))
  return { ...emulator, host, url: emulator.baseUrl.replace(/\/v1$/, ''), invited }
}
