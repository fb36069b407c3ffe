/**
 * Pins the time zone and the language of a run on every machine: UTC and en-US.
 *
 * Both apply to the process while a run is active or its code is loaded, and are restored afterwards.
 * Known limitations: Node does not change the time zone of a worker thread; locales that a strategy names differ
 * between versions of Node.
 */
const ZONE = 'UTC'
const LOCALE = 'en-US'

interface Constructible {
  (...args: unknown[]): unknown
  new (...args: unknown[]): object
}

/** Index of the locale argument per method of the standard library. */
const METHODS: readonly (readonly [prototype: object, method: string, index: number])[] = [
  [String.prototype, 'localeCompare', 1],
  [String.prototype, 'toLocaleUpperCase', 0],
  [String.prototype, 'toLocaleLowerCase', 0],
  [Number.prototype, 'toLocaleString', 0],
  [BigInt.prototype, 'toLocaleString', 0],
  [Date.prototype, 'toLocaleString', 0],
  [Date.prototype, 'toLocaleDateString', 0],
  [Date.prototype, 'toLocaleTimeString', 0],
]

let runs = 0
let undo: (() => void)[] = []

/** @returns restores the machine's settings, once no run needs the pinned ones */
export function pinZoneAndLocale(): () => void {
  runs += 1
  if (runs === 1) pin()
  let isOn = true
  return () => {
    if (!isOn) return
    isOn = false
    runs -= 1
    if (runs > 0) return
    for (const restore of undo.reverse()) restore()
    undo = []
  }
}

/** Whether dates have the run's zone: false in a worker thread of a process with another one. */
export const isZonePinned = (): boolean =>
  // eslint-disable-next-line papertape/no-clock -- the zone of the machine is what is asked
  [0, 182].every((day) => new Date(Date.UTC(2024, 0, day)).getTimezoneOffset() === 0)

function pin(): void {
  const { TZ } = process.env
  process.env.TZ = ZONE
  undo.push(() => {
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  })
  for (const [prototype, method, index] of METHODS) replace(prototype, method, index)
  for (const name of Object.getOwnPropertyNames(Intl)) {
    const value: unknown = Reflect.get(Intl, name)
    if (typeof value === 'function' && 'prototype' in value) replace(Intl, name, 0)
  }
}

function replace(target: object, key: string, index: number): void {
  const descriptor = Object.getOwnPropertyDescriptor(target, key)
  if (descriptor === undefined) return
  const real = descriptor.value as Constructible
  const value = new Proxy(real, {
    apply: (method, self, args: unknown[]) =>
      Reflect.apply<unknown, unknown[], unknown>(method, self, withLocale(args, index)),
    construct: (constructor, args: unknown[], newTarget) =>
      Reflect.construct(constructor, withLocale(args, index), newTarget as Constructible),
  })
  Object.defineProperty(target, key, { ...descriptor, value })
  undo.push(() => {
    Object.defineProperty(target, key, descriptor)
  })
}

/** Inserts the run's locale if none is given. */
function withLocale(args: readonly unknown[], index: number): unknown[] {
  const asked = args[index]
  const isAsked = asked !== undefined && !(Array.isArray(asked) && asked.length === 0)
  const all = Array.from({ length: Math.max(args.length, index + 1) }, (_, at) => args[at])
  if (!isAsked) all[index] = LOCALE
  return all
}
