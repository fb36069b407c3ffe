/**
 * The subscribers of each stream, and the distribution of events: serialized and framed once, and sent when durable.
 *
 * The events of one turn of the event loop are sent at its end, together and in order, with one write per client.
 * Events that are sent once per turn are held while a virtual clock moves.
 */
import { textFrame, type StreamClient } from './stream-client.ts'

/** Maximum bytes of one write, unless a single event is longer. */
const MAX_TOGETHER = 64 * 1024

export interface StreamHubOptions {
  /** Resolves when all changes so far are durable; undefined if they are. */
  readonly durable: () => Promise<void> | undefined
  /** Names such as `trade:BTC_USD`. */
  readonly streams: readonly string[]
  /** True while events that are sent once per turn wait for `release()`. */
  readonly isHeld: () => boolean
  /** Receives an internal error while an event is created. */
  readonly onError: (error: unknown) => void
}

/** One stream. */
interface Channel {
  readonly name: string
  readonly clients: Set<StreamClient>
  /** Events of this turn. */
  frames: Buffer[]
  /** Creates the event that summarizes the turn, or all turns while it is held. */
  latest: (() => string) | undefined
}

type Batch = readonly (readonly [Channel, readonly Buffer[]])[]

export class StreamHub {
  readonly #options: StreamHubOptions
  readonly #channels: ReadonlyMap<string, Channel>
  /** Channels with events of this turn. */
  readonly #busy = new Set<Channel>()
  /** Resolves when everything that waited for durability has been sent. */
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

  /** False if no client would receive an event, so that it need not be created. */
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

  /** @param data  JSON */
  publish(stream: string, data: string): void {
    const channel = this.#channels.get(stream)
    if (channel === undefined || channel.clients.size === 0) return
    channel.frames.push(frameOf(channel, data))
    this.#wake(channel)
  }

  /** Sends the held events, also to later subscribers. */
  release(): void {
    for (const channel of this.#channels.values()) {
      if (channel.latest === undefined) continue
      takeLatest(channel)
      this.#wake(channel)
    }
  }

  /** Publishes at the end of this turn, at most once. @param make  creates the JSON of the event then */
  publishLatest(stream: string, make: () => string): void {
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

  /** Sends batches in order. */
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
      // Changes that are not durable have not happened: nothing is sent, and the owner of the state stops the service.
      () => undefined,
    )
    this.#sending = sending
  }
}

const frameOf = ({ name }: Channel, data: string): Buffer =>
  textFrame(`{"stream":${JSON.stringify(name)},"data":${data}}`)

function takeFrames(channel: Channel, isHeld: boolean): readonly Buffer[] {
  if (!isHeld) takeLatest(channel)
  const { frames } = channel
  channel.frames = []
  return frames.length < 2 ? frames : together(frames)
}

/** Appends the event that summarizes the turn. */
function takeLatest(channel: Channel): void {
  const { frames, latest } = channel
  channel.latest = undefined
  if (latest !== undefined && channel.clients.size > 0) frames.push(frameOf(channel, latest()))
}

/** Merges frames into fewer buffers. */
function together(frames: readonly Buffer[]): readonly Buffer[] {
  const joined: Buffer[] = []
  let group: Buffer[] = []
  let bytes = 0
  for (const frame of frames) {
    if (bytes + frame.length > MAX_TOGETHER && group.length > 0) {
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
  const [first] = batch
  if (batch.length === 1 && first !== undefined) {
    sendTo(first)
    return
  }
  // A client of several channels, such as trades and ticker of a market, gets them in one write.
  for (const [{ clients }] of batch) for (const client of clients) client.cork()
  for (const each of batch) sendTo(each)
  for (const [{ clients }] of batch) for (const client of clients) client.uncork()
}

function sendTo([{ clients }, buffers]: Batch[number]): void {
  for (const client of clients) for (const buffer of buffers) client.send(buffer)
}
