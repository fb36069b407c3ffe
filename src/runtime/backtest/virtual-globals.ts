/**
 * In a backtest, the wall clock, chance and real timers are out of a strategy's reach: using them is an error that names what to
 * use instead.
 *
 * The globals are replaced for the time of the run, and refuse only while the strategy has its turn; our own code, which never
 * calls them in a pure folder, and the runtime of Node are not concerned. Known limit: `new Date(x)` and date arithmetic stay.
 */

interface Refusal {
  readonly name: string
  readonly instead: string
}

const SCHEDULE = 'RxJS timer() or interval(), which follow the virtual clock'

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

export interface VirtualGlobalsOptions {
  /** True while the strategy has its turn. */
  readonly isInside: () => boolean
  /** Hears, once a function, of a Math function whose last digit depends on the engine. */
  readonly onInexactMath: (name: string) => void
}

/** @returns what puts the real globals back */
export function guardGlobals({ isInside, onInexactMath }: VirtualGlobalsOptions): () => void {
  const undo: (() => void)[] = []
  const replace = <Target extends object, Key extends keyof Target>(
    target: Target,
    key: Key,
    wrap: (real: Target[Key]) => Target[Key],
  ): void => {
    const real = target[key]
    target[key] = wrap(real)
    undo.push(() => {
      target[key] = real
    })
  }
  // A Proxy keeps everything else of the function: its properties, its prototype, its behaviour as a constructor.
  const refuse =
    ({ name, instead }: Refusal) =>
    <F extends (...args: never[]) => unknown>(real: F): F =>
      new Proxy(real, {
        apply: (target, thisArg, args) => {
          if (isInside()) throw new Error(`${name} is not for a strategy: use ${instead}`)
          return Reflect.apply(target, thisArg, args) as unknown
        },
      })
  replace(Date, 'now', refuse({ name: 'Date.now()', instead: 'now()' }))
  replace(Math, 'random', refuse({ name: 'Math.random()', instead: 'random(), which is seeded' }))
  replace(performance, 'now', refuse({ name: 'performance.now()', instead: 'now()' }))
  replace(globalThis, 'setTimeout', refuse({ name: 'setTimeout()', instead: SCHEDULE }))
  replace(globalThis, 'setInterval', refuse({ name: 'setInterval()', instead: SCHEDULE }))
  replace(globalThis, 'setImmediate', refuse({ name: 'setImmediate()', instead: SCHEDULE }))
  replace(globalThis, 'Date', (real) => guardedDate(real, isInside))
  const told = new Set<string>()
  for (const name of INEXACT_MATH) {
    replace(Math, name, (real: (...args: number[]) => number) => (...args: number[]): number => {
      if (isInside() && !told.has(name)) {
        told.add(name)
        onInexactMath(`Math.${name}`)
      }
      return real(...args)
    })
  }
  return () => {
    for (const restore of undo.reverse()) restore()
  }
}

/** Refuses the present; every given date is as ever. */
function guardedDate(real: DateConstructor, isInside: () => boolean): DateConstructor {
  const refuseIfInside = (): void => {
    if (isInside()) throw new Error('new Date() is not for a strategy: use new Date(now())')
  }
  return new Proxy(real, {
    construct: (target, args: unknown[], newTarget) => {
      if (args.length === 0) refuseIfInside()
      return Reflect.construct(target, args, newTarget) as Date
    },
    apply: (target, thisArg, args) => {
      refuseIfInside()
      return Reflect.apply(target, thisArg, args) as unknown
    },
  })
}
