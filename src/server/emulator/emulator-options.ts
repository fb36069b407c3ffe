/**
 * What an emulator can be started with, and what of it does not go together.
 */
import { InputError } from '../../domain/errors.ts'
import type { TapeSource } from '../../store/tape-source.ts'
import { checkHost, isLoopback } from '../http/address.ts'
import type { EmulatorConfig, EmulatorConfigInput } from './emulator-config.ts'
import type { ServeOptions } from '../serve.ts'

/** How fast a tape is played; `max` is as fast as it can be. */
export const REPLAY_SPEEDS = [1, 10, 'max'] as const

/** How many times as fast as recorded a tape is played, or `max`. */
export type ReplaySpeed = (typeof REPLAY_SPEEDS)[number]

/** What `startEmulator` takes; all of it may be left out. */
export interface EmulatorOptions extends Pick<ServeOptions, 'port' | 'host' | 'adminToken' | 'onAnswer'> {
  /** What is left out is as if nothing had been given: BTC_USD and ETH_USD, one user with one key, agents. */
  readonly config?: EmulatorConfigInput | undefined
  /** What to call the config in an error; default: `config`. */
  readonly configName?: string | undefined
  /** File that keeps everything; without it, nothing is kept. */
  readonly state?: string | undefined
  /** Recorded markets that are played in the place of agents, the first trade of them now. */
  readonly replay?: readonly TapeSource[] | undefined
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

/** @throws {InputError} naming the option that makes no sense beside the others, as a flag */
export function checkOptions(options: EmulatorOptions): void {
  const { host = '127.0.0.1', adminToken, replay = [], speed, virtualClock = false, start } = options
  checkHost(host, adminToken)
  if (speed !== undefined && replay.length === 0) throw new InputError('--speed', 'is for --replay')
  if (speed !== undefined && virtualClock) {
    throw new InputError('--speed', 'makes no sense with --virtual-clock: time moves only when it is told to')
  }
  if (start !== undefined && !virtualClock) throw new InputError('--start', 'is for --virtual-clock')
  if (virtualClock && !isLoopback(host)) {
    throw new InputError('--virtual-clock', `whoever knows the seed knows every key: not on ${host}`)
  }
}

/**
 * Whether agents trade. Without a word they do, unless a tape is played.
 *
 * @throws {InputError} for agents beside a tape, and for a seed from which nothing comes
 */
export function hasAgents(where: string, { agents }: EmulatorConfig, options: EmulatorOptions): boolean {
  const { replay = [], seed, virtualClock = false } = options
  if (agents === true && replay.length > 0) throw new InputError(`${where} agents`, 'expected false with --replay')
  const isTraded = agents ?? replay.length === 0
  if (seed !== undefined && !isTraded && !virtualClock) {
    throw new InputError('--seed', 'is for agents or for --virtual-clock, and there is neither')
  }
  return isTraded
}
