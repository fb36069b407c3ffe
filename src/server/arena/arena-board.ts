/** The board of a season for everyone: its state, its players, and their equity curves. */
import { formatTrimmed } from '../../domain/fixed-point.ts'
import type { SeasonHost } from './season-host.ts'
import type { SeasonResult } from './season-result.ts'

/** Points of a curve on the board. */
const MAX_POINTS = 240
/** Share of the time that statistics of many players may take while the season runs. */
const MAX_SHARE = 1 / 30

export interface SeasonBoard {
  readonly name: string
  /** Unix milliseconds. */
  readonly start: number
  readonly end: number
  readonly now: number
  readonly state: 'coming' | 'running' | 'over'
  readonly quoteAsset: string
  /** Lines so far, and the digest of the last one, to be noted and compared with the published journal. */
  readonly journal: { readonly lines: number; readonly digest: string }
  /** Final once the season is over. */
  readonly result: SeasonResult
  /** Unix milliseconds of the points of the curves. */
  readonly times: readonly number[]
  /** Equity of each player at these times, decimal strings. */
  readonly curves: Readonly<Record<string, readonly string[]>>
}

type SlowPart = Pick<SeasonBoard, 'result' | 'times' | 'curves'>

interface Drawn {
  readonly key: string
  /** JSON text of the slow part of the board, without its opening brace. */
  readonly text: string
  /** Shown until then, even if there are more samples. */
  readonly until: number
}

/** The board for its viewers at one moment. */
export interface BoardFrame {
  /** JSON text of the part that changes all the time, without the results. */
  readonly head: string
  /** The same object until results, curves or players change. */
  readonly results: object
  /** JSON text of the `SeasonBoard`. */
  readonly whole: () => string
  readonly isOver: boolean
}

export class ArenaBoard {
  readonly #host: SeasonHost
  #drawn: Drawn | undefined

  constructor(host: SeasonHost) {
    this.#host = host
  }

  /** @param now  everything before it has happened, Unix milliseconds @returns JSON text of a `SeasonBoard` */
  text(now: number): string {
    return this.frame(now).whole()
  }

  /** @param now  everything before it has happened, Unix milliseconds */
  frame(now: number): BoardFrame {
    const { season, journal } = this.#host
    const { fold, chain } = journal
    fold.sampleBefore(now)
    const { start, end, terms } = season
    const head: Omit<SeasonBoard, keyof SlowPart> = {
      ...{ name: terms.name, start, end, now },
      state: fold.result !== undefined ? 'over' : now < start ? 'coming' : 'running',
      quoteAsset: fold.amounts.quoteAsset,
      journal: { lines: chain.lines, digest: chain.digest },
    }
    const drawn = this.#draw(now)
    const text = JSON.stringify(head)
    let whole: string | undefined
    return {
      head: text,
      results: drawn,
      whole: () => (whole ??= `${text.slice(0, -1)},${drawn.text}`),
      isOver: head.state === 'over',
    }
  }

  /** Computed once per sample, or less often if that takes long. */
  #draw(time: number): Drawn {
    const { fold } = this.#host.journal
    const record = fold.record()
    const { samples, players, valueScale } = record
    // A player who left and joined again has another line.
    const stopped = players.filter(({ strategy }) => strategy?.stopped !== undefined).length
    const key = [samples.length, players.length, players.at(-1)?.line, stopped, fold.result?.time].join(' ')
    const began = performance.now()
    const isFresh = this.#drawn !== undefined && fold.result === undefined && began < this.#drawn.until
    if (this.#drawn !== undefined && (isFresh || this.#drawn.key === key)) return this.#drawn
    const shown = thinned(samples)
    const board: SlowPart = {
      result: fold.result ?? fold.standing(time),
      times: shown.map(({ time }) => time),
      curves: Object.fromEntries(
        players.map(({ account }, index) => [
          account,
          shown.map(({ equity }) => formatTrimmed(equity[index] ?? 0n, valueScale)),
        ]),
      ),
    }
    const text = JSON.stringify(board).slice(1)
    const now = performance.now()
    this.#drawn = { key, text, until: now + (now - began) / MAX_SHARE }
    return this.#drawn
  }
}

/** Evenly spaced items, the last one included. */
function thinned<T>(all: readonly T[]): readonly T[] {
  const step = Math.ceil(all.length / MAX_POINTS)
  return all.filter((_, index) => (all.length - 1 - index) % step === 0)
}
