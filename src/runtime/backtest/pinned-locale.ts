/**
 * One time zone and one language for a run, on whatever machine: UTC, and the English of the United States.
 *
 * Both are the process's while a run is under way or its code is loaded, and what they were afterwards. Known limits:
 * in a worker thread Node does not take a zone of its own; words and forms of other languages that a strategy asks for
 * by name differ between versions of Node.
 */
const ZONE = 'UTC'
const LOCALE = 'en-US'

interface Constructible {
  (...args: unknown[]): unknown
  new (...args: unknown[]): object
}

/** Which argument of a method of the standard library is the locale. */
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

/** @returns what puts back the machine's own, once nobody needs them otherwise */
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

/** Whether dates are those of the run's zone: not in a worker thread of a process in another one. */
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

/** What names no language gets the run's. */
function withLocale(args: readonly unknown[], index: number): unknown[] {
  const asked = args[index]
  const isAsked = asked !== undefined && !(Array.isArray(asked) && asked.length === 0)
  const all = Array.from({ length: Math.max(args.length, index + 1) }, (_, at) => args[at])
  if (!isAsked) all[index] = LOCALE
  return all
}
