/** The series of a session on paper or live: opened, followed, and how far they were delivered. */
import { resolve } from 'node:path'
import type { LiveSeries } from '../adapter/live/live-series.ts'
import { InputError } from '../domain/errors.ts'
import type { FollowedSeries, SeriesStore } from '../runtime/live/followed-series.ts'
import { SeriesDelivery } from '../runtime/live/series-delivery.ts'
import { persistedSeries, saveSeries } from '../store/state/live/persisted-facts.ts'
import type { LiveState } from '../store/state/live/live-state.ts'
import type { SeriesReport } from '../tape/series-info.ts'
import type { LiveProcess } from './live-process.ts'
import { seriesOf } from './settings-of-options.ts'

type Process = Pick<LiveProcess<object>, 'loop' | 'end' | 'everySecond' | 'fail' | 'warn'>

/** The series of a session, all of which its strategies can ask for. */
export class SessionSeries {
  readonly #all: readonly FollowedSeries[]
  readonly #process: Process

  private constructor(all: readonly FollowedSeries[], process: Process) {
    this.#all = all
    this.#process = process
  }

  /** @param files  by name; undefined for none @throws {InputError} for a file that cannot be read */
  static async open(files: Readonly<Record<string, string>> | undefined, process: Process): Promise<SessionSeries> {
    if (files === undefined) return new SessionSeries([], process)
    // Lazy, only for sessions with series.
    const { openSeries } = await import('../runtime/live/followed-series.ts')
    return new SessionSeries(await openSeries(seriesOf(files), process), process)
  }

  get live(): readonly LiveSeries[] {
    return this.#all.map(({ live }) => live)
  }

  /** The same by name, for an adapter. */
  get byName(): ReadonlyMap<string, LiveSeries> {
    return new Map(this.live.map((each) => [each.name, each]))
  }

  /** The parts of the first line of a journal. */
  get infos(): readonly FollowedSeries['info'][] {
    return this.#all.map(({ info }) => info)
  }

  get reports(): readonly SeriesReport[] {
    return this.#all.map((each) => each.report())
  }

  /** Sets the latest rows. Call just before the strategies begin. */
  begin(parts: { readonly feedMs: number; readonly store: SeriesStore | undefined }): void {
    const { loop, warn } = this.#process
    for (const each of this.#all) each.begin({ loop, warn, ...parts })
  }

  /**
   * Delivers new rows until the end of the process. Call when the strategies have begun.
   *
   * @param isListening  false while no strategy runs, or one is warming up: rows then wait
   */
  follow(feedMs: number, isListening: () => boolean): void {
    const { loop, end, everySecond, fail } = this.#process
    if (this.#all.length === 0) return
    const delivery = new SeriesDelivery(this.#all, { loop, feedMs, isListening })
    for (const each of this.#all) each.follow()
    const look = async (): Promise<void> => {
      await Promise.all(this.#all.map((each) => each.look()))
      delivery.plan()
    }
    delivery.plan()
    const stop = everySecond(() => {
      delivery.plan()
      loop.turn.outside(() => {
        look().catch(fail)
      })
    })
    end.atOnce(() => {
      stop()
      delivery.stop()
    })
  }
}

/** A time that cannot be saved is a warning; only a restart would deliver its row again. */
export function seriesStoreOf(state: LiveState, onWarning: (text: string) => void): SeriesStore {
  let isTroubleReported = false
  return {
    load: ({ name, file }) => {
      const saved = persistedSeries(state, name)
      return saved?.file === resolve(file) ? saved.time : undefined
    },
    save: ({ name, file }, time) => {
      try {
        saveSeries(state, name, { file: resolve(file), time })
        isTroubleReported = false
      } catch (error) {
        if (!(error instanceof InputError)) throw error
        if (!isTroubleReported) onWarning(`a restart would deliver rows of '${name}' again: ${error.message}`)
        isTroubleReported = true
      }
    },
  }
}
