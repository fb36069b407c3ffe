/**
 * The subscribers of each stream, and the way of an event to them: serialised and framed once, and told when it is
 * safe.
 *
 * What a turn of the event loop gives is sent at its end, the events of a stream together and in their order. What is
 * told once a turn is held while turns are no measure.
 */
import { textFrame, type StreamClient } from './stream-client.ts'

/** Bytes that are written at once, unless a single event is longer. */
const MOST_TOGETHER = 64 * 1024

export interface StreamHubOptions {
  /** Resolves when everything that was done so far is safe; undefined when it is now. */
  readonly durable: () => Promise<void> | undefined
  /** Names such as `trade:BTC_USD`. */
  readonly streams: readonly string[]
  /** Whether what is published once a turn waits for `release()`, as in turns that are none of the market's. */
  readonly isHeld: () => boolean
  /** An error of ours while an event was made. */
  readonly onError: (error: unknown) => void
}

/** One stream. */
interface Channel {
  readonly name: string
  readonly clients: Set<StreamClient>
  /** Events of this turn. */
  frames: Buffer[]
  /** Makes the one event of this turn, or of all of them while it is held, that depends on all of it. */
  latest: (() => unknown) | undefined
}

type Batch = readonly (readonly [Channel, readonly Buffer[]])[]

export class StreamHub {
  readonly #options: StreamHubOptions
  readonly #channels: ReadonlyMap<string, Channel>
  /** With events of this turn. */
  readonly #busy = new Set<Channel>()
  /** Ends when everything that waited to be safe has been sent. */
  #sending: Promise<void> | undefined

  constructor(options: StreamHubOptions) {
    this.#options = options
    this.#channels = new Map(
      options.streams.map((name) => [name, { name, clients: new Set(), frames: [], latest: undefined }]),
    )
  }

  has(stream: string): boolean {
    return this.#channels.has(stream)
  }

  /** False when an event would reach nobody, so that it need not be made. */
  isWatched(stream: string): boolean {
    return (this.#channels.get(stream)?.clients.size ?? 0) > 0
  }

  subscribe(client: StreamClient, stream: string): void {
    this.#channels.get(stream)?.clients.add(client)
    client.streams.add(stream)
  }

  unsubscribe(client: StreamClient, stream: string): void {
    this.#channels.get(stream)?.clients.delete(client)
    client.streams.delete(stream)
  }

  forget(client: StreamClient): void {
    for (const stream of client.streams) this.unsubscribe(client, stream)
  }

  publish(stream: string, data: unknown): void {
    const channel = this.#channels.get(stream)
    if (channel === undefined || channel.clients.size === 0) return
    channel.frames.push(frameOf(channel, data))
    this.#wake(channel)
  }

  /** Tells now what was held; who came too late for it is told as well. */
  release(): void {
    for (const channel of this.#channels.values()) {
      if (channel.latest === undefined) continue
      takeLatest(channel)
      this.#wake(channel)
    }
  }

  /** Publishes once this turn, after everything else in it. @param make  makes the event then */
  publishLatest(stream: string, make: () => unknown): void {
    const channel = this.#channels.get(stream)
    if (channel === undefined || channel.clients.size === 0) return
    channel.latest = make
    this.#wake(channel)
  }

  #wake(channel: Channel): void {
    if (this.#busy.size === 0) {
      queueMicrotask(() => {
        this.#flush()
      })
    }
    this.#busy.add(channel)
  }

  #flush(): void {
    try {
      const isHeld = this.#options.isHeld()
      const batch = Array.from(this.#busy, (channel) => [channel, takeFrames(channel, isHeld)] as const)
      this.#sendWhenSafe(batch)
    } catch (error) {
      this.#options.onError(error)
    } finally {
      this.#busy.clear()
    }
  }

  /** In the order in which they came. */
  #sendWhenSafe(batch: Batch): void {
    const safe = this.#options.durable()
    if (safe === undefined && this.#sending === undefined) {
      send(batch)
      return
    }
    const sending = Promise.all([safe, this.#sending]).then(
      () => {
        send(batch)
        if (this.#sending === sending) this.#sending = undefined
      },
      // What could not be made safe has not happened: nobody is told, and whoever keeps the state stops the service.
      () => undefined,
    )
    this.#sending = sending
  }
}

const frameOf = ({ name }: Channel, data: unknown): Buffer => textFrame(JSON.stringify({ stream: name, data }))

function takeFrames(channel: Channel, isHeld: boolean): readonly Buffer[] {
  if (!isHeld) takeLatest(channel)
  const { frames } = channel
  channel.frames = []
  return frames.length < 2 ? frames : together(frames)
}

/** Makes the event that depends on all of a turn, behind the others. */
function takeLatest(channel: Channel): void {
  const { frames, latest } = channel
  channel.latest = undefined
  if (latest !== undefined && channel.clients.size > 0) frames.push(frameOf(channel, latest()))
}

/** Fewer and longer buffers of the same bytes. */
function together(frames: readonly Buffer[]): readonly Buffer[] {
  const joined: Buffer[] = []
  let group: Buffer[] = []
  let bytes = 0
  for (const frame of frames) {
    if (bytes + frame.length > MOST_TOGETHER && group.length > 0) {
      joined.push(Buffer.concat(group))
      group = []
      bytes = 0
    }
    group.push(frame)
    bytes += frame.length
  }
  return [...joined, Buffer.concat(group)]
}

function send(batch: Batch): void {
  for (const [{ clients }, buffers] of batch) {
    for (const client of clients) {
      for (const buffer of buffers) client.send(buffer)
    }
  }
}
