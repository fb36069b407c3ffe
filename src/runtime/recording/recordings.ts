/**
 * Recordings of several markets, in a folder with one file per market or in a tape store, while their trades are
 * emitted.
 */
import { join } from 'node:path'
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'
import type { LiveTime, LiveTimer } from '../../adapter/live/live-time.ts'
import type { MarketReads } from '../../adapter/live/rest/service-calls.ts'
import { InputError, type Place } from '../../domain/errors.ts'
import type { Market } from '../../domain/market.ts'
import { type Recording, type RecordingCounts, recordingName } from '../../store/recordings/recording.ts'
import { RecordingFile } from '../../store/recordings/recording-file.ts'
import { StoreRecording } from '../../store/recordings/store-recording.ts'
import { MarketRecorder } from './market-recorder.ts'

/** Interval of syncs; appended data is on disk after at most twice this time. */
const SYNC_MS = 500

/** Target of recordings: a folder with one file per market, or a tape store. */
export interface RecordingPlace {
  readonly form: 'folder' | 'store'
  /** Path of the folder or store. */
  readonly path: string
}

/** A name that ends in `.db` denotes a store. */
export const recordingPlace = (path: string): RecordingPlace => ({
  form: /\.db$/i.test(path) ? 'store' : 'folder',
  path,
})

export interface RecordingsOptions {
  /** The setting that names the place. */
  readonly where: Place
  readonly place: RecordingPlace
  /** Markets in the order of reports. */
  readonly markets: readonly Market[]
  readonly reads: Pick<MarketReads, 'trades'>
  readonly time: LiveTime
  /** The recording of a market has stopped; called at most once per market. */
  readonly onFailure: (error: unknown) => void
}

/** Present state of a recording. */
export interface RecordingState extends RecordingCounts {
  readonly symbol: string
  readonly file: string
  /** Decimal string; undefined before the first trade. */
  readonly lastPrice: string | undefined
}

export class Recordings {
  readonly #recorders: readonly MarketRecorder[]
  readonly #time: LiveTime
  readonly #onFailure: (error: unknown) => void
  #syncing: LiveTimer | undefined
  #isClosed = false

  /** @throws {InputError} for a file that cannot be continued; none is open then */
  constructor({ where, place, markets, reads, time, onFailure }: RecordingsOptions) {
    this.#time = time
    this.#onFailure = onFailure
    const recorders: MarketRecorder[] = []
    this.#recorders = recorders
    try {
      for (const market of markets) {
        if (place.form === 'folder') refuseSameName(where, market, recorders)
        const recording = openRecording(place, market)
        recorders.push(new MarketRecorder({ market, recording, reads, onFailure }))
      }
    } catch (error) {
      this.close()
      throw error
    }
  }

  get states(): readonly RecordingState[] {
    return this.#recorders.map(({ symbol, recording, lastPrice }) => ({
      symbol,
      file: recording.file,
      lastPrice,
      ...recording.counts,
    }))
  }

  /** Call before anything is emitted. */
  listen(source: Pick<ExchangeAdapter, 'trades' | 'gaps'>): void {
    for (const recorder of this.#recorders) recorder.listen(source)
    this.#syncLater()
  }

  /** Continues where the recordings ended. Call when the streams are live. @throws {ExchangeError} */
  async resume(): Promise<void> {
    for (const recorder of this.#recorders) await recorder.resume()
  }

  /** Idempotent. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#syncing?.cancel()
    for (const recorder of this.#recorders) {
      try {
        recorder.close()
      } catch (error) {
        this.#onFailure(error)
      }
    }
  }

  #syncLater(): void {
    this.#syncing = this.#time.after(SYNC_MS, () => {
      void this.#sync()
    })
  }

  async #sync(): Promise<void> {
    for (const recorder of this.#recorders) await recorder.sync()
    if (!this.#isClosed) this.#syncLater()
  }
}

const openRecording = ({ form, path }: RecordingPlace, market: Market): Recording =>
  form === 'store'
    ? StoreRecording.open(path, market)
    : RecordingFile.open(join(path, recordingName(market.symbol)), market)

/** Symbols that differ only by case would share a file. */
function refuseSameName(where: Place, { symbol }: Market, recorders: readonly MarketRecorder[]): void {
  const same = recorders.find((other) => recordingName(other.symbol) === recordingName(symbol))
  if (same !== undefined) {
    throw new InputError(where, `${same.symbol} and ${symbol} would share one file: record them into two directories`)
  }
}
