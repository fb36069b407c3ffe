/**
 * Boundary through which events leave a run: calls the listener of a program outside the strategy's turn.
 *
 * Invariant: no method of the listener runs inside a strategy's turn, and neither its exceptions nor its rejected
 * promises come back. The first error of each method is reported.
 */
import { thrownText } from '../../domain/thrown-text.ts'
import type { Turn } from './turn.ts'

export interface WarningListener {
  /** A warning for the operator. */
  readonly onWarning?: ((text: string) => void) | undefined
}

type Method = (...args: readonly unknown[]) => unknown

/**
 * @returns the listener with the same methods; one that threw returns undefined, and its error goes to `onWarning`, or
 * to the process
 */
export function outsideListener<Listener extends object>(
  turn: Pick<Turn, 'outside'>,
  listener: Partial<Listener>,
  { onWarning }: WarningListener = listener,
): Partial<Listener> {
  const reported = new Set<string>()
  const report = (name: string, error: unknown): void => {
    if (reported.has(name)) return
    reported.add(name)
    const text = `the listener ${name} threw: ${thrownText(error)}; the run goes on, and its next errors are not reported`
    if (onWarning === undefined || name === 'onWarning') emitProcessWarning(turn, text)
    else call('onWarning', onWarning as Method, [text])
  }
  const call = (name: string, method: Method, args: readonly unknown[]): unknown => {
    try {
      const result = turn.outside<unknown>(() => Reflect.apply(method, listener, args))
      if (result instanceof Promise) result.catch((error: unknown) => report(name, error))
      return result
    } catch (error) {
      report(name, error)
      return undefined
    }
  }
  return new Proxy(listener, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      return (...args: readonly unknown[]) => call(String(key), value as Method, args)
    },
  })
}

/** Node prints it on stderr, unless the program listens for warnings. */
function emitProcessWarning(turn: Pick<Turn, 'outside'>, text: string): void {
  turn.outside(() => {
    process.emitWarning(text, 'PapertapeWarning')
  })
}
