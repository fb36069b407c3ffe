/**
 * A mark in Redis that a machine can run the points of a bundle, for as long as one does: others that cannot may have
 * failed with all of them while it was busy.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { PREFIX } from './point-queue.ts'

const ABLE_SECONDS = 60
const AGAIN_MS = 20_000

const ableKey = (bundle: string): string => `${PREFIX}:able:${bundle}`

/** Leaves the mark until the work is done, and a while longer. */
export async function toldAble<T>(redis: Redis, bundle: string, work: Promise<T>): Promise<T> {
  const over = new AbortController()
  const tell = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await redis.set(ableKey(bundle), 1, 'EX', ABLE_SECONDS)
      await pause(AGAIN_MS, undefined, { signal: over.signal })
    }
  }
  // A Redis error is reported by the next required command.
  void tell().catch(() => undefined)
  try {
    return await work
  } finally {
    over.abort()
  }
}

export const isAnyAble = async (redis: Redis, bundle: string): Promise<boolean> =>
  (await redis.exists(ableKey(bundle))) === 1
