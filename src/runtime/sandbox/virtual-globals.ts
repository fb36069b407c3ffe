/**
 * Guards a run against the wall clock, random numbers and real timers: using them throws an error that names the
 * replacement.
 *
 * The globals are replaced while a strategy is loaded and during the run. In the strategy's turn they throw; during
 * loading, and after an `await`, they work and are reported with their place. Code of papertape and of Node is not
 * affected. A strategy may never end the process.
 * Known limitations: `new Date(x)` and date arithmetic are allowed; calls inside a package are reported only if a file
 * of the strategy called it.
 */
import nodeCrypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import nodeTimers from 'node:timers'
import timersOfPromises from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { MisuseError } from '../../domain/errors.ts'
import { userPlace } from '../modules/user-place.ts'

type Format = (date?: Date | number) => unknown

/** Replacement of a property. */
type Guarded = readonly [target: object, key: string, descriptor: PropertyDescriptor]

/**
 * Date formatters that report when they are called without a date, and so would use the machine's present time.
 *
 * @param meetPresent  called before the present time of the machine is formatted; may throw
 */
function guardedFormats(meetPresent: () => void): readonly Guarded[] {
  const { prototype } = Intl.DateTimeFormat
  const format = Object.getOwnPropertyDescriptor(prototype, 'format')
  const parts = Object.getOwnPropertyDescriptor(prototype, 'formatToParts')
  const guardedByReal = new WeakMap<Format, Format>()
  const guarded = (real: Format): Format => {
    const known = guardedByReal.get(real)
    if (known !== undefined) return known
    const made: Format = (date) => {
      if (date === undefined) meetPresent()
      return real(date)
    }
    guardedByReal.set(real, made)
    return made
  }
  return [
    [
      prototype,
      'format',
      {
        ...format,
        get(this: Intl.DateTimeFormat) {
          return guarded(format?.get?.call(this) as Format)
        },
      },
    ],
    [
      prototype,
      'formatToParts',
      {
        ...parts,
        value(this: Intl.DateTimeFormat, date?: Date | number) {
          if (date === undefined) meetPresent()
          return Reflect.apply(parts?.value as () => unknown, this, [date]) as unknown
        },
      },
    ],
  ]
}

/** A source of irreproducibility: its value may differ in the next run. */
export interface Unrepeatable {
  /** Its expression in code: `Date.now()`. */
  readonly name: string
  /** `file:line:column`; undefined if it is not in the strategy's code. */
  readonly place: string | undefined
}

const SCHEDULE = 'RxJS timer() or interval(), which follow the virtual clock'
const CHANCE = 'random(), which is seeded'
const CLOCK = 'now()'
const MARKET = 'values from the market data, which are the same on every machine'
const NETWORK = 'a file that you fetch before the run and import in the strategy'
const END = 'throw an error, or complete the stream'

/** Math functions whose last digit differs between JavaScript engines. */
const INEXACT_MATH = [
  'acos',
  'acosh',
  'asin',
  'asinh',
  'atan',
  'atan2',
  'atanh',
  'cbrt',
  'cos',
  'cosh',
  'exp',
  'expm1',
  'hypot',
  'log',
  'log10',
  'log1p',
  'log2',
  'pow',
  'sin',
  'sinh',
  'tan',
  'tanh',
] as const

type Callable = (...args: never[]) => unknown
type Refused = readonly [target: object, key: string, name: string, instead: string]

const functionsOf = (target: object, names: readonly string[], instead: string, prefix = ''): readonly Refused[] =>
  names.map((name) => [target, name, `${prefix}${name}()`, instead])

const TIMERS = ['setTimeout', 'setInterval', 'setImmediate']
const RANDOM_BYTES = [
  ...['randomUUID', 'randomBytes', 'pseudoRandomBytes', 'prng', 'rng', 'randomInt', 'randomFill', 'randomFillSync'],
  ...['getRandomValues', 'generateKeySync', 'generateKeyPairSync', 'generateKey', 'generateKeyPair'],
]

/* eslint-disable papertape/no-clock -- taken to be kept from others */
/** Built per guard, because a test or program may have replaced the functions. */
const refusedFunctions = (): readonly Refused[] => [
  [Date, 'now', 'Date.now()', CLOCK],
  [Math, 'random', 'Math.random()', CHANCE],
  ...functionsOf(performance, ['now', 'mark', 'measure', 'toJSON'], CLOCK, 'performance.'),
  ...functionsOf(process, ['hrtime', 'uptime'], CLOCK, 'process.'),
  ...functionsOf(process, ['cpuUsage', 'memoryUsage', 'resourceUsage'], MARKET, 'process.'),
  [process.hrtime, 'bigint', 'process.hrtime.bigint()', CLOCK],
  ...functionsOf(globalThis, TIMERS, SCHEDULE),
  ...functionsOf(nodeTimers, TIMERS, SCHEDULE, 'timers.'),
  ...functionsOf(timersOfPromises, TIMERS, SCHEDULE, 'timers/promises.'),
  ...functionsOf(nodeCrypto, RANDOM_BYTES, CHANCE, 'crypto.'),
  ...functionsOf(globalThis.crypto, ['randomUUID', 'getRandomValues'], CHANCE, 'crypto.'),
  ...functionsOf(globalThis, ['fetch', 'WebSocket', 'EventSource'], NETWORK),
]

/* eslint-enable papertape/no-clock */

/** Never allowed, at any time: an unfinished run could exit with code 0. A signal cannot do that. */
const ENDS = ['exit', 'reallyExit'] as const

export interface VirtualGlobalsOptions {
  /** True during the strategy's turn. */
  readonly isInside: () => boolean
  /** Called once per Math function whose last digit depends on the engine. */
  readonly onInexactMath: (name: string) => void
  /** Called once per source of irreproducibility that the strategy used outside of its turn, or may use in it. */
  readonly onUnrepeatable?: (use: Unrepeatable) => void
}

/** Active guards: loads and runs may overlap in a program. */
const watches = new Set<VirtualGlobalsOptions>()
let undo: (() => void)[] = []

/** @returns restores the real globals, once no guard is active */
export function guardGlobals(options: VirtualGlobalsOptions): () => void {
  const watch = reportedOnce(options)
  if (watches.size === 0) install()
  watches.add(watch)
  return () => {
    if (!watches.delete(watch) || watches.size > 0) return
    for (const restore of undo.reverse()) restore()
    undo = []
    syncBuiltinESMExports()
  }
}

function reportedOnce({ isInside, onInexactMath, onUnrepeatable }: VirtualGlobalsOptions): VirtualGlobalsOptions {
  const reported = new Set<string>()
  const once = (name: string, reportIt: () => void): void => {
    if (reported.has(name)) return
    reported.add(name)
    reportIt()
  }
  return {
    isInside,
    onInexactMath: (name) => {
      once(name, () => {
        onInexactMath(name)
      })
    },
    onUnrepeatable: (use) => {
      once(use.name, () => onUnrepeatable?.(use))
    },
  }
}

/** The guard whose strategy has its turn. */
function insideOf(): VirtualGlobalsOptions | undefined {
  for (const watch of watches) if (watch.isInside()) return watch
  return undefined
}

/** True during a guarded call: calls that it makes are not the strategy's. */
let isWithinCall = false

function withinCall<T>(call: () => T): T {
  const before = isWithinCall
  isWithinCall = true
  try {
    return call()
  } finally {
    isWithinCall = before
  }
}

function report(name: string, place: string): void {
  if (isWithinCall) return
  for (const { onUnrepeatable } of watches) onUnrepeatable?.({ name, place })
}

/** Throws in the strategy's turn; reports outside of it. */
function meet(name: string, instead: string): void {
  if (insideOf() !== undefined) throw refusal(name, instead)
  const place = userPlace()
  if (place !== undefined) report(name, place)
}

const PROVIDER = /(?:\(|at )([^()\n]*[\\/]rxjs)[\\/]dist[\\/]\w+[\\/]internal[\\/]scheduler[\\/]\w+Provider\.js/

/**
 * Detects a call by another copy of RxJS than papertape's, which would use real timers.
 *
 * Our copy never uses the machine's during a run, so every caller is another one. There are two copies if a package is
 * linked, or if the requested versions are incompatible.
 *
 * @param stack  of an error that was created within the call
 * @returns the folder of the copy; undefined if none calls
 */
export function otherRxjs(stack: string | undefined): string | undefined {
  const [, place] = PROVIDER.exec(stack ?? '') ?? []
  return place?.startsWith('file:') === true ? fileURLToPath(place) : place
}

function refusal(name: string, instead: string): Error {
  const other = otherRxjs(new Error().stack)
  const better =
    other === undefined
      ? instead
      : `the RxJS that papertape provides, because ${other} is another copy that the virtual clock does not control`
  return new MisuseError('clock', `${name} is not available in a strategy: use ${better}`)
}

/** Reported wherever a strategy uses it. */
function meetAllowed(name: string): void {
  const place = userPlace()
  if (place !== undefined) report(name, place)
}

function meetEnd(name: string): void {
  if (insideOf() !== undefined || userPlace() !== undefined) {
    throw new Error(`process.${name}() is not available in a strategy: ${END}`)
  }
}

function install(): void {
  for (const [target, key, name, instead] of refusedFunctions()) {
    replaceFunction(target, key, () => {
      meet(name, instead)
    })
  }
  for (const name of ENDS) {
    replaceFunction(process, name, () => {
      meetEnd(name)
    })
  }
  replace(globalThis, 'Date', guardedDate(Date))
  const { timeOrigin } = performance
  const originOf = (): number => {
    meet('performance.timeOrigin', CLOCK)
    return timeOrigin
  }
  replaceBy(performance, 'timeOrigin', { configurable: true, enumerable: true, get: originOf })
  for (const [target, key, descriptor] of guardedFormats(() => {
    meet('Intl.DateTimeFormat().format()', 'format(now())')
  })) {
    replaceBy(target, key, descriptor)
  }
  for (const name of INEXACT_MATH) {
    const real: unknown = Reflect.get(Math, name)
    if (typeof real !== 'function') continue
    // Not a Proxy: strategies call these by the million.
    replace(Math, name, (...args: number[]): number => {
      insideOf()?.onInexactMath(`Math.${name}`)
      return (real as (...args: number[]) => number)(...args)
    })
  }
  replace(process, 'env', watchedEnvironment(process.env))
  const { pid } = process
  replaceBy(process, 'pid', {
    configurable: true,
    enumerable: true,
    get: () => {
      meetAllowed('process.pid')
      return pid
    },
  })
  syncBuiltinESMExports()
}

function replace(target: object, key: string, value: unknown): void {
  replaceBy(target, key, { ...Object.getOwnPropertyDescriptor(target, key), value })
}

function replaceBy(target: object, key: string, descriptor: PropertyDescriptor): void {
  const own = Object.getOwnPropertyDescriptor(target, key)
  if (own?.configurable === false) return
  Object.defineProperty(target, key, descriptor)
  undo.push(() => {
    if (own === undefined) Reflect.deleteProperty(target, key)
    else Object.defineProperty(target, key, own)
  })
}

/** A Proxy preserves everything else of the function: properties, prototype, and behaviour as a constructor. */
function replaceFunction(target: object, key: string, before: () => void): void {
  const real = Reflect.get(target, key) as Callable | undefined
  if (typeof real !== 'function') return
  const value = new Proxy(real, {
    apply: (called, self, args: never[]) => {
      before()
      return withinCall(() => Reflect.apply<unknown, never[], unknown>(called, self, args))
    },
    construct: (called, args, newTarget) => {
      before()
      return withinCall(() => Reflect.construct(called, args, newTarget) as object)
    },
  })
  const own = Object.getOwnPropertyDescriptor(target, key)
  replaceBy(
    target,
    key,
    own?.get === undefined ? { configurable: true, writable: true, ...own, value } : { ...own, get: () => value },
  )
}

function watchedEnvironment(real: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return new Proxy(real, {
    get: (target, name) => {
      if (typeof name === 'string') meetAllowed(`process.env.${name}`)
      return Reflect.get(target, name) as unknown
    },
  })
}

/** Guards the present time; dates with arguments are unchanged. */
function guardedDate(real: DateConstructor): DateConstructor {
  return new Proxy(real, {
    construct: (target, args: unknown[], newTarget) => {
      if (args.length === 0) meet('new Date()', 'new Date(now())')
      return Reflect.construct(target, args, newTarget) as Date
    },
    apply: (target, thisArg, args) => {
      meet('Date()', 'new Date(now())')
      return Reflect.apply(target, thisArg, args) as unknown
    },
  })
}
