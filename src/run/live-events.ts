/** The events of live and paper sessions as async iterators. */
import type { RefusalCode, Refuser } from '../domain/refusal.ts'
import { without } from '../domain/without.ts'
import type { LiveStatus, PaperStatus } from '../runtime/live/live-status.ts'
import type { StateChange } from '../runtime/session-state.ts'
import type { OwnFill } from '../strategy/own-order.ts'
import type {
  EndedSession,
  LiveListener,
  LiveOptions,
  LiveResult,
  ReportedHalt,
  StartedSession,
} from './live-options.ts'
import type { NightlyTwin } from './nightly/nightly.ts'
import type { PaperListener, PaperOptions, PaperRun } from './paper-options.ts'
import { live, paper } from './real-time.ts'
import { eventsOf } from './run-events.ts'

/** Something that happened in a session in real time. */
export type SessionEventOf<Status> =
  /** The strategy called `log`. */
  | {
      readonly type: 'log'
      /** Name of the strategy. */
      readonly owner: string
      /** Unix milliseconds. */
      readonly time: number
      /** The message. */
      readonly message: string
    }
  /** An order of the strategy was filled. */
  | {
      readonly type: 'fill'
      /** Name of the strategy. */
      readonly owner: string
      /** The fill, as the strategy received it. */
      readonly fill: OwnFill
    }
  /** A loss limit or an operator changed the state of the session. */
  | {
      readonly type: 'state'
      /** Name of the strategy. */
      readonly owner: string
      /** The new state, and its reason. */
      readonly change: StateChange
    }
  /** The session was repeated as its own backtest after a midnight, or that failed. */
  | {
      readonly type: 'twin'
      /** The gap between the two. */
      readonly twin: NightlyTwin
    }
  /** Something that a person should know. */
  | {
      readonly type: 'warning'
      /** The warning, a full sentence. */
      readonly text: string
    }
  /** The present status; about once a second. */
  | {
      readonly type: 'status'
      /** Figures of this moment. */
      readonly status: Status
    }

/** Something that happened in live sessions. */
export type LiveEvent =
  | SessionEventOf<LiveStatus>
  /** The sessions have started. */
  | {
      readonly type: 'start'
      /** One for each strategy. */
      readonly sessions: readonly StartedSession[]
    }
  /** A request was refused. */
  | {
      readonly type: 'refusal'
      /** Name of the strategy. */
      readonly owner: string
      /** Code of the service. */
      readonly code: RefusalCode
      /** The service, or the stage before it. */
      readonly by: Refuser
    }
  /** A market takes no orders until an operator resumes it. */
  | {
      readonly type: 'halt'
      /** The market and the reason. */
      readonly halt: ReportedHalt
    }
  /** The account can no longer be used. */
  | {
      readonly type: 'fault'
      /** The reason. */
      readonly message: string
    }
  /** A session has ended. */
  | {
      readonly type: 'session-end'
      /** The session with its report. */
      readonly session: EndedSession
    }
  /** All sessions have ended; the last event. */
  | {
      readonly type: 'end'
      /** The result, as `live` returns it. */
      readonly result: LiveResult
    }

/** Status of a strategy on paper. */
export interface OwnedStatus extends PaperStatus {
  /** Name of the strategy. */
  readonly owner: string
}

/** Something that happened in a paper session. */
export type PaperEvent =
  | SessionEventOf<OwnedStatus>
  /** A strategy has started. */
  | {
      readonly type: 'start'
      /** Name of the strategy. */
      readonly owner: string
      /** Directory of its files. */
      readonly directory: string
    }
  /** A strategy threw; others on the wallet go on. */
  | {
      readonly type: 'failure'
      /** Name of the strategy. */
      readonly owner: string
      /** Message of its error. */
      readonly message: string
    }
  /** The session has ended; the last event. */
  | {
      readonly type: 'end'
      /** The result, as `paper` returns it. */
      readonly run: PaperRun | undefined
    }

/**
 * Trades live and yields the events: `for await (const event of liveEvents(options))`.
 *
 * The sessions start when you request the first event, and end in good order if you leave the loop. The events go to a
 * `listener` of the options, too.
 *
 * @throws {InputError | ExchangeError | AbortError} as `live`, at the first event
 */
export function liveEvents(options: LiveOptions): AsyncGenerator<LiveEvent, void, undefined> {
  const { listener = options.watcher ?? {} } = options
  const others = without(options, 'watcher')
  return eventsOf<LiveEvent, LiveResult>({
    signal: options.signal,
    begin: (push, signal) => live({ ...others, signal, listener: liveListener(listener, push) }),
    last: (result) => ({ type: 'end', result }),
  })
}

/**
 * Trades on paper and yields the events, as `liveEvents` does.
 *
 * @throws {InputError | ExchangeError} as `paper`, at the first event
 */
export function paperEvents(options: PaperOptions): AsyncGenerator<PaperEvent, void, undefined> {
  const { listener = options.onlooker ?? {}, onWarning } = options
  const others = without(options, 'onlooker')
  return eventsOf<PaperEvent, PaperRun | undefined>({
    signal: options.signal,
    begin: (push, signal) =>
      paper({
        ...others,
        signal,
        listener: paperListener(listener, push),
        onWarning: (text) => {
          push({ type: 'warning', text })
          onWarning?.(text)
        },
      }),
    last: (run) => ({ type: 'end', run }),
  })
}

function liveListener(own: Partial<LiveListener>, push: (event: LiveEvent) => void): Partial<LiveListener> {
  return {
    onStart: (sessions) => {
      push({ type: 'start', sessions })
      own.onStart?.(sessions)
    },
    onLog: (owner, time, message) => {
      push({ type: 'log', owner, time, message })
      own.onLog?.(owner, time, message)
    },
    onFill: (owner, fill) => {
      push({ type: 'fill', owner, fill })
      own.onFill?.(owner, fill)
    },
    onRefusal: (owner, code, by) => {
      push({ type: 'refusal', owner, code, by })
      own.onRefusal?.(owner, code, by)
    },
    onState: (owner, change) => {
      push({ type: 'state', owner, change })
      own.onState?.(owner, change)
    },
    onHalt: (halt) => {
      push({ type: 'halt', halt })
      own.onHalt?.(halt)
    },
    onFault: (message) => {
      push({ type: 'fault', message })
      own.onFault?.(message)
    },
    onTwin: (twin) => {
      push({ type: 'twin', twin })
      own.onTwin?.(twin)
    },
    onWarning: (text) => {
      push({ type: 'warning', text })
      own.onWarning?.(text)
    },
    onStatus: (status) => {
      push({ type: 'status', status })
      own.onStatus?.(status)
    },
    events: () => own.events?.() ?? [],
    onEnd: (session) => {
      push({ type: 'session-end', session })
      own.onEnd?.(session)
    },
  }
}

function paperListener(own: Partial<PaperListener>, push: (event: PaperEvent) => void): Partial<PaperListener> {
  return {
    onStart: (directory, owner, chart) => {
      push({ type: 'start', owner, directory })
      own.onStart?.(directory, owner, chart)
    },
    onLog: (time, message, owner) => {
      push({ type: 'log', owner, time, message })
      own.onLog?.(time, message, owner)
    },
    onFill: (fill, owner) => {
      push({ type: 'fill', owner, fill })
      own.onFill?.(fill, owner)
    },
    onState: (change, owner) => {
      push({ type: 'state', owner, change })
      own.onState?.(change, owner)
    },
    onTwin: (twin) => {
      push({ type: 'twin', twin })
      own.onTwin?.(twin)
    },
    onFailure: (message, owner) => {
      push({ type: 'failure', owner, message })
      own.onFailure?.(message, owner)
    },
    onStatus: (status, owner) => {
      push({ type: 'status', status: { ...status, owner } })
      own.onStatus?.(status, owner)
    },
    events: () => own.events?.() ?? [],
  }
}
