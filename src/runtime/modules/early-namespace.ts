/**
 * An import from a file that waits for the importing one: a ring, in which one has to go on before the other has run.
 *
 * Node gives a name that is not there yet as an error; compiled code would give `undefined`, and the author would meet that much later.
 */
import { basename } from 'node:path'

/**
 * @param module  goes on running, and is loaded one day
 * @param ring    paths: each imports the next, and the last the first
 */
export function earlyNamespace(
  module: { readonly exports: unknown; readonly loaded: boolean },
  ring: readonly string[],
): unknown {
  const { exports } = module
  if (typeof exports !== 'object' || exports === null) return exports
  return new Proxy(exports, {
    get: (target, name, receiver) => {
      const value: unknown = Reflect.get(target, name, receiver)
      // Every promise asks for `then`.
      if (value !== undefined || module.loaded || typeof name !== 'string' || name === 'then') return value
      throw new ReferenceError(`'${name}' of ${basename(ring[1] ?? '')} is not defined yet, because ${ringText(ring)}`)
    },
  })
}

/** `a.ts imports b.ts, which imports c.ts, which imports a.ts` */
function ringText(ring: readonly string[]): string {
  const [first = '', ...others] = ring.map((path) => basename(path))
  const closed = others.at(-1) === first ? others : [...others, first]
  return `${first} imports ${closed.join(', which imports ')}`
}
