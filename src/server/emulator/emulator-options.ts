/** Options of an emulator, and the checks that they go together. */
import { InputError } from '../../domain/errors.ts'
import { setting, worded, type SettingName } from '../../domain/setting-name.ts'
import type { BookTapeSource, TapeSource } from '../../import/tape-source.ts'
import { checkHost, isLoopback } from '../http/address.ts'
import { readProxies } from '../http/client-address.ts'
import type { EmulatorConfig, EmulatorConfigInput } from './emulator-config.ts'
import { checkForms, type ReplaySpeed } from './emulator-settings.ts'
import type { ServeOptions } from '../serve.ts'

/** Options of `startEmulator`; all are optional. */
export interface EmulatorOptions extends Pick<
  ServeOptions,
  'port' | 'host' | 'adminToken' | 'tlsCert' | 'tlsKey' | 'behindProxy' | 'cors' | 'onAnswer'
> {
  /** Markets and users; default: BTC_USD and ETH_USD, one user with one key, and simulated traders. */
  readonly config?: EmulatorConfigInput | undefined
  /** Name of the config in error messages; default: `config`. */
  readonly configName?: string | undefined
  /** File to save the exchange in; default: memory only. */
  readonly state?: string | undefined
  /** File of an exported snapshot to continue from; its markets, users and agents replace those of the config. */
  readonly world?: string | undefined
  /** Recorded markets to replay instead of simulated traders, from now on. */
  readonly replay?: readonly TapeSource[] | undefined
  /** Recorded order books and quotes of these markets. */
  readonly depth?: readonly BookTapeSource[] | undefined
  /**
   * Base URL of a live service whose markets and trades are followed instead of simulated traders. Only public data is
   * read from it.
   */
  readonly mirror?: string | undefined
  /** File to which changes, joins, and wrong tokens and keys are appended as JSON lines; default: none. */
  readonly auditLog?: string | undefined
  /** Replay speed; default: 1. */
  readonly speed?: ReplaySpeed | undefined
  /** If true, time moves only by `advance`, and ids and keys depend only on `seed`. */
  readonly virtualClock?: boolean | undefined
  /** Start of a virtual clock, Unix milliseconds; default: 2024-01-01, or the time of the saved state. */
  readonly start?: number | undefined
  /** A 32-bit integer; default: 1. */
  readonly seed?: number | undefined
  /** Called with internal errors; their text is in no response. */
  readonly onError?: ((error: unknown, requestId: string | undefined) => void) | undefined
  /** Called with warnings, such as when the mirrored service is lost or back, or the audit log cannot be written. */
  readonly onNotice?: ((message: string) => void) | undefined
  /**
   * Called once if the emulator cannot continue and must be closed: with an InvariantError if the engine failed, an
   * InputError if a tape cannot be read any further, or another error if the state cannot be written.
   */
  readonly onFailure?: ((error: unknown) => void) | undefined
}

/** Options of an emulator and its branches, which have one audit log. */
export type PlannedOptions = EmulatorOptions & Pick<ServeOptions, 'audit'>

/** Options of the address, and who may use it. */
export const addressOptions = ({
  host,
  adminToken,
  tlsCert,
  tlsKey,
  behindProxy,
  cors,
  audit,
  onNotice,
}: PlannedOptions): PlannedOptions => ({ host, adminToken, tlsCert, tlsKey, behindProxy, cors, audit, onNotice })

/** Options of an emulator that branches off. */
export const branchOptions = ({ virtualClock, seed, onError, ...options }: PlannedOptions): PlannedOptions => ({
  ...addressOptions(options),
  ...{ virtualClock, onError, onFailure: (error) => onError?.(error, undefined) },
  ...(virtualClock === true ? { seed } : {}),
})

/** @throws {InputError} naming an invalid option, or one that contradicts another */
export function checkOptions(options: EmulatorOptions): void {
  const { replay = [], depth = [], speed, virtualClock = false, start } = options
  checkForms(options)
  checkReach(options)
  checkMirror(options)
  if (depth.length > 0 && replay.length === 0)
    throw new InputError(setting('depth'), worded`needs ${setting('replay')}`)
  if (speed !== undefined && replay.length === 0)
    throw new InputError(setting('speed'), worded`needs ${setting('replay')}`)
  if (speed !== undefined && virtualClock) {
    const clock = setting('virtualClock')
    throw new InputError(
      setting('speed'),
      worded`cannot be combined with ${clock}: a virtual clock moves only when you advance it`,
    )
  }
  checkWorld(options)
  if (start !== undefined && !virtualClock)
    throw new InputError(setting('start'), worded`needs ${setting('virtualClock')}`)
}

/** @throws {InputError} for an address that others can reach, if that is not safe */
function checkReach(options: EmulatorOptions): void {
  const { host = '127.0.0.1', behindProxy, virtualClock = false } = options
  if (virtualClock && (!isLoopback(host) || behindProxy !== undefined)) {
    throw new InputError(
      setting('virtualClock'),
      worded`cannot be combined with ${behindProxy === undefined ? `the address ${host}` : setting('behindProxy')}: anyone who knows the seed can derive every key; listen on 127.0.0.1`,
    )
  }
  checkHost(host, options)
  if (behindProxy !== undefined) readProxies(behindProxy)
}

/** The setting that replaces the simulated traders; undefined if none does. */
function crowdOf({ replay = [], mirror }: Pick<EmulatorOptions, 'replay' | 'mirror'>): SettingName | undefined {
  if (mirror !== undefined) return setting('mirror')
  return replay.length > 0 ? setting('replay') : undefined
}

/** @throws {InputError} for what a snapshot has already */
function checkWorld(options: EmulatorOptions): void {
  const { world, start, config } = options
  if (world === undefined) return
  const place = setting('world')
  const crowd = crowdOf(options)
  if (crowd !== undefined) throw new InputError(place, worded`cannot be combined with ${crowd}`)
  if (start !== undefined) throw new InputError(place, worded`has its own time: leave out ${setting('start')}`)
  const given = (['markets', 'quoteAsset', 'users', 'agents'] as const).find((field) => config?.[field] !== undefined)
  if (given !== undefined) throw new InputError(place, `has its own ${given}: leave them out of the config`)
}

function checkMirror({ mirror, replay = [], virtualClock = false }: EmulatorOptions): void {
  if (mirror === undefined) return
  const other = replay.length > 0 ? setting('replay') : virtualClock ? setting('virtualClock') : undefined
  if (other === undefined) return
  throw new InputError(
    setting('mirror'),
    worded`cannot be combined with ${other}: a live service goes at its own pace; record it, and play the recording with ${setting('replay')}`,
  )
}

/**
 * True if agents trade: the default, unless a tape is replayed or a service mirrored.
 *
 * @throws {InputError} for agents together with one of these, and for a seed without effect
 */
export function hasAgents(where: string, { agents }: EmulatorConfig, options: EmulatorOptions): boolean {
  const { seed, virtualClock = false } = options
  const crowd = crowdOf(options)
  if (agents === true && crowd !== undefined)
    throw new InputError(`${where} agents`, worded`must be false with ${crowd}`)
  const isTraded = agents ?? crowd === undefined
  if (seed !== undefined && !isTraded && !virtualClock) {
    const clock = setting('virtualClock')
    throw new InputError(
      setting('seed'),
      worded`has no effect without agents or ${clock}: leave it out, or set one of them`,
    )
  }
  return isTraded
}
