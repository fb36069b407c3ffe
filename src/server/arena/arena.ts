/** An arena: an emulator that hosts a season. */
import { existsSync } from 'node:fs'
import { InputError } from '../../domain/errors.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import { isoTime } from '../../domain/time.ts'
import { isLoopbackName } from '../http/origins.ts'
import type { EmulatorExtension } from '../emulator/emulator-extension.ts'
import type { EmulatorOptions } from '../emulator/emulator-options.ts'
import { startExtended, type Emulator } from '../emulator/emulator.ts'
import { MACHINE_CLOCK } from '../service/machine-clock.ts'
import { arenaRoutes } from './arena-routes.ts'
import { SeasonHost, type SeasonFiles } from './season-host.ts'
import { readSeason, strategiesOf, type Season } from './season.ts'
import { EnteredStrategies } from './strategies/entered-strategies.ts'

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
  const config = { agents, markets, quoteAsset, limits, users: [] }
  const { virtualClock, replay = [] } = options
  const host = new SeasonHost(season, { where, journal }, replay.length > 0)
  const extension: EmulatorExtension = {
    selfTrade: rules.selfTrading === 'reject' ? 'reject' : 'allow',
    routes: arenaRoutes(host),
    openState: host.openState.bind(host),
    enter: host.enter.bind(host),
  }
  const world = { ...options, start, seed: virtualClock === true ? seed : undefined, config, configName: where }
  checkStrategies(where, season, options)
  const strategies = new EnteredStrategies(season, { where, journal })
  const emulator = await strategies
    .loaded()
    .then(() => startExtended(world, extension))
    .catch(async (error: unknown) => {
      await strategies.close()
      throw error
    })
  const codes = host.inviteFirst(players)
  strategies.enter({ ...emulator, host, onNotice: options.onNotice })
  await host.journal.durable()
  const invited = codes.map((code, index) => ({ name: players[index] ?? '', code }))
  const close = async (): Promise<void> => {
    await strategies.close()
    await emulator.close()
  }
  return { ...emulator, close, host, url: emulator.baseUrl.replace(/\/v1$/, ''), invited }
}

/** @throws {InputError} for strategies that cannot trade at this exchange */
function checkStrategies(where: string, season: Season, options: Partial<ArenaOptions>): void {
  const { virtualClock, tlsCert, host = '127.0.0.1', behindProxy } = options
  if (strategiesOf(season).length === 0) return
  const place = `${where} strategies`
  if (virtualClock === true)
    throw new InputError(place, worded`trade in real time: leave out ${setting('virtualClock')}`)
  const isReached = isLoopbackName(host) || host === '0.0.0.0' || host === '::'
  if (behindProxy !== undefined && !isReached) {
    throw new InputError(
      place,
      worded`trade on this machine, which is not the proxy: use ${setting('host')} 0.0.0.0, or 127.0.0.1`,
    )
  }
  if (tlsCert === undefined) return
  throw new InputError(
    place,
    worded`trade on this machine, where the certificate is not valid: let a proxy encrypt, and name it with ${setting('behindProxy')}`,
  )
}
