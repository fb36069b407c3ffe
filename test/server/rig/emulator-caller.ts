/**
 * Emulators for a test, each closed after it, and short ways to ask them.
 */
import { setTimeout } from 'node:timers/promises'
import { afterEach } from 'vitest'
import type { EmulatorOptions } from '../../../src/server/emulator/emulator-options.ts'
import { startEmulator, type Emulator } from '../../../src/server/emulator/emulator.ts'

export interface Answer<Json> {
  readonly status: number
  readonly json: Json
}

export interface Question {
  readonly method?: string
  readonly key?: string | undefined
  readonly body?: object
}

/** Starts emulators that are closed after the test. */
export function emulators(): (options?: EmulatorOptions) => Promise<Emulator> {
  const started: Emulator[] = []
  afterEach(async () => {
    await Promise.all(started.splice(0).map((emulator) => emulator.close()))
  })
  return async (options) => {
    const emulator = await startEmulator(options)
    started.push(emulator)
    return emulator
  }
}

/** @param path  below `/v1` or, beginning with `/emulator`, the emulator's own */
export async function ask<Json = unknown>(
  { baseUrl, emulatorUrl }: Pick<Emulator, 'baseUrl' | 'emulatorUrl'>,
  path: string,
  { method, key, body }: Question = {},
): Promise<Answer<Json>> {
  const url = path.startsWith('/emulator') ? emulatorUrl + path.slice('/emulator'.length) : baseUrl + path
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      connection: 'close',
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, json: text === '' ? undefined : JSON.parse(text) }
}

export const keyOf = ({ users: [user] }: Pick<Emulator, 'users'>, index = 0): string => user?.keys[index] ?? ''

const LOOK_AGAIN_MS = 20

/** Moves the virtual clock on, however long that takes. */
export async function advance(emulator: Emulator, advanceMs: number): Promise<number> {
  const moved = await ask<ClockJson>(emulator, '/emulator/clock', { body: { advanceMs } })
  let { now, until } = moved.json
  while (until !== undefined) {
    await setTimeout(LOOK_AGAIN_MS)
    ;({ now, until } = (await ask<ClockJson>(emulator, '/emulator/clock')).json)
  }
  return now
}

interface ClockJson {
  readonly now: number
  readonly until?: number
}

export const LIMIT_BUY = { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: '10000.00', qty: '0.5' } as const
