/**
 * The exchange on one's own machine: markets that live, users with keys, and the service in front of them.
 */
import { InvariantError } from '../../domain/errors.ts'
import type { Market } from '../../domain/market.ts'
import { checkAddress } from '../http/address.ts'
import type { EmulatorOptions } from './emulator-options.ts'
import { planEmulator, type EmulatorPlan } from './emulator-plan.ts'
import type { EmulatorUser } from './emulator-users.ts'
import { makeWorld, type EmulatorWorld } from './emulator-world.ts'
import { setAside } from './failed-state.ts'
import { ReplayClock } from '../../simulation/clocks/replay-clock.ts'
import { serve, type RunningServer, type ServeOptions } from '../serve.ts'
import { ReplayPump } from '../service/replay-pump.ts'
import { ServicePump, type Pump } from '../service/service-pump.ts'
import type { Service } from '../service/service.ts'
import { VirtualClock } from '../../simulation/clocks/virtual-clock.ts'

/** An emulator that runs: where it listens, and who may ask it. */
export interface Emulator extends Omit<RunningServer, 'service'> {
  /** In the order of its config. */
  readonly markets: readonly Market[]
  /** With the keys that were made now; they are shown once. */
  readonly users: readonly EmulatorUser[]
  /** Whether agents trade. */
  readonly hasAgents: boolean
  /**
   * Writes down what is there after a failure, for whoever looks into it; after `close()`.
   *
   * @returns the file
   */
  setAside(): string
}

/**
 * Starts an emulator in this process, and resolves when it listens.
 *
 * @throws {InputError} for whatever the caller has to mend: an option, a config, a tape, a port that is taken
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const plan = await planEmulator(options)
  // A key is shown once: none is made by an emulator that then cannot listen.
  await checkAddress(options.host ?? '127.0.0.1', options.port ?? 0)
  const failure = new Failure(options)
  const world = await makeWorld(plan, options, failure.tell)
  const { state, simulated, replay, users } = world
  const server = await serve(simulated, serveOptions(plan, world, options, failure)).catch(async (error: unknown) => {
    await replay?.close()
    state.close()
    throw error
  })
  failure.service = server.service
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    try {
      await server.close()
      await replay?.close()
    } finally {
      state.close()
    }
  }
  return {
    ...server,
    markets: server.service.exchange.markets,
    users,
    hasAgents: plan.hasAgents,
    close: () => (closing ??= close().catch(failure.ofClosing)),
    setAside: () => setAside(options.state, state),
  }
}

function serveOptions(
  { limits }: EmulatorPlan,
  { state, clock, replay }: EmulatorWorld,
  options: EmulatorOptions,
  failure: Failure,
): ServeOptions {
  const { port, host, adminToken, cors, onAnswer, onError, speed = 1 } = options
  const pump = (service: Service, onPumpError: (error: unknown) => void): Pump =>
    clock instanceof ReplayClock && replay !== undefined
      ? new ReplayPump(service, replay, clock, onPumpError)
      : new ServicePump(service, onPumpError, speed === 'max' ? 1 : speed)
  return {
    port,
    host,
    limits,
    pump: clock instanceof VirtualClock ? undefined : pump,
    adminToken,
    cors,
    clock,
    onAnswer,
    secrets: state.secrets,
    users: state.users,
    durable: () => state.durable(),
    awaited: replay?.awaited,
    onTime: (time) => {
      state.keepTime(time)
    },
    onError: (error, requestId) => {
      onError?.(error, requestId)
      if (error instanceof InvariantError) failure.tell(error)
    },
  }
}

/** Why an emulator cannot go on, told once. */
class Failure {
  readonly #options: EmulatorOptions
  #error: unknown
  #service: Service | undefined

  constructor(options: EmulatorOptions) {
    this.#options = options
  }

  /** The one to stop; a failure may come before it is there. */
  set service(service: Service) {
    this.#service = service
    this.#stop()
  }

  readonly tell = (error: unknown): void => {
    if (this.#error !== undefined) return
    this.#error = error
    this.#stop()
    this.#options.onFailure?.(error)
  }

  /** What goes wrong when an emulator is closed that has failed is what it was told of. */
  readonly ofClosing = (error: unknown): void => {
    if (this.#error === undefined) throw error
  }

  #stop(): void {
    if (this.#error !== undefined) {
      this.#service?.stop(this.#error instanceof Error ? this.#error : new Error('failed', { cause: this.#error }))
    }
  }
}
