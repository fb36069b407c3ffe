/**
 * Fixed clock and random numbers of the machine during a trial: the same in every run, unless a run should get others.
 *
 * Invariant: both are restored, whatever the work does.
 */

export interface Machine {
  /** Time of its clock, Unix milliseconds. */
  readonly time: number
  /** Random number, in [0, 1). */
  readonly chance: number
}

/** 2025-03-03T09:30:00Z, a Monday. */
export const USUAL: Machine = { time: 1_740_994_200_000, chance: 0.25 }
/** A Sunday night, another year. */
export const STRANGE: Machine = { time: 1_800_000_000_000 + 37 * 3_600_000, chance: 0.75 }

/** Does something while the machine seems to be that one. */
export async function onMachine<T>({ time, chance }: Machine, work: () => Promise<T>): Promise<T> {
  const RealDate = Date
  const FixedDate = new Proxy(RealDate, {
    construct: (target, args: unknown[], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [time] : args, newTarget) as Date,
    apply: () => String(new RealDate(time)),
    get: (target, key) => (key === 'now' ? fixedNow : (Reflect.get(target, key) as unknown)),
  })
  const fixedNow = (): number => time
  const undo = [
    replaced(globalThis, 'Date', FixedDate),
    replaced(Math, 'random', () => chance),
    replaced(globalThis.performance, 'now', () => time % 1_000_000),
  ]
  try {
    return await work()
  } finally {
    for (const restore of undo) restore()
  }
}

function replaced(target: object, key: string, value: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(target, key)
  Object.defineProperty(target, key, {
    configurable: true,
    writable: true,
    enumerable: own?.enumerable ?? false,
    value,
  })
  return () => {
    if (own === undefined) Reflect.deleteProperty(target, key)
    else Object.defineProperty(target, key, own)
  }
}
