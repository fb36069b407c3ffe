/**
 * Options of an emulator, and the checks that they go together.
 */
import { InputError } from '../../domain/errors.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import type { BookTapeSource, TapeSource } from '../../store/tape-source.ts'
import { checkHost, isLoopback } from '../http/address.ts'
import type { EmulatorConfig, EmulatorConfigInput } from './emulator-config.ts'
import { checkForms, type ReplaySpeed } from './emulator-settings.ts'
import type { ServeOptions } from '../serve.ts'

/** Options of `startEmulator`; all of it may be left out. */
export interface EmulatorOptions extends Pick<ServeOptions, 'port' | 'host' | 'adminToken' | 'cors' | 'onAnswer'> {
  /** What is left out is as if nothing had been given: BTC_USD and ETH_USD, one user with one key, agents. */
  readonly config?: EmulatorConfigInput | undefined
  /** What to call the config in an error; default: `config`. */
  readonly configName?: string | undefined
  /** File that keeps everything; without it, nothing is kept. */
  readonly state?: string | undefined
  /** Recorded markets that are played in the place of agents, the first trade of them now. */
  readonly replay?: readonly TapeSource[] | undefined
  /** Recorded books and quotes of these markets, which are shown and traded on. */
  readonly depth?: readonly BookTapeSource[] | undefined
  /** Default: 1. */
  readonly speed?: ReplaySpeed | undefined
  /** The time moves only when it is told to, and ids and keys come from the seed. */
  readonly virtualClock?: boolean | undefined
  /** Unix milliseconds at which a virtual clock begins; default: 2024-01-01, or where the state is. */
  readonly start?: number | undefined
  /** A 32-bit integer; default: 1. */
  readonly seed?: number | undefined
  /** Hears of errors that are ours; the text is in no answer. */
  readonly onError?: ((error: unknown, requestId: string | undefined) => void) | undefined
  /**
   * Hears once that it cannot go on, and has to be closed: an InvariantError when the engine failed, an InputError when a tape cannot
   * be read any further, another when the state cannot be written.
   */
  readonly onFailure?: ((error: unknown) => void) | undefined
}

/** @throws {InputError} naming the option that is not of its form, or makes no sense beside the others */
export function checkOptions(options: EmulatorOptions): void {
  const { host = '127.0.0.1', adminToken, replay = [], depth = [], speed, virtualClock = false, start } = options
  checkForms(options)
  checkHost(host, adminToken)
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
  if (start !== undefined && !virtualClock)
    throw new InputError(setting('start'), worded`needs ${setting('virtualClock')}`)
  if (virtualClock && !isLoopback(host)) {
    throw new InputError(
      setting('virtualClock'),
      `cannot be combined with the address ${host}: anyone who knows the seed can derive every key; listen on 127.0.0.1`,
    )
  }
}

/**
 * Whether agents trade. Without a word they do, unless a tape is played.
 *
 * @throws {InputError} for agents beside a tape, and for a seed from which nothing comes
 */
export function hasAgents(where: string, { agents }: EmulatorConfig, options: EmulatorOptions): boolean {
  const { replay = [], seed, virtualClock = false } = options
  if (agents === true && replay.length > 0)
    throw new InputError(`${where} agents`, worded`must be false with ${setting('replay')}`)
  const isTraded = agents ?? replay.length === 0
  if (seed !== undefined && !isTraded && !virtualClock) {
    const clock = setting('virtualClock')
    throw new InputError(
      setting('seed'),
      worded`has no effect without agents or ${clock}: leave it out, or set one of them`,
    )
  }
  return isTraded
}
