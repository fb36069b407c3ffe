/** Names of the strategies of one run, which are also those of their directories. */
import { InputError } from '../domain/errors.ts'
import { setting } from '../domain/setting-name.ts'

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/

/** A wanted name, and the one to use without it, which gets a number if it is taken. */
export interface WantedName {
  readonly given: string | undefined
  readonly fallback: string
}

/** @param reserved  no strategy can have it @throws {InputError} for a given name that is invalid or taken */
export function uniqueNames(wanted: readonly WantedName[], reserved?: string): readonly string[] {
  const names: string[] = []
  wanted.forEach(({ given, fallback }, index) => {
    const where = setting(`strategies.${index}.name`)
    const name = given ?? freeName(fallback, names)
    if (given !== undefined && !NAME.test(given))
      throw new InputError(where, `expected letters, digits, '-' and '_', got '${given}'`)
    if (name === reserved) throw new InputError(where, `'${reserved}' is the name of the wallet: use another one`)
    if (names.includes(name)) throw new InputError(where, `another strategy has the name '${name}'`)
    names.push(name)
  })
  return names
}

function freeName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name
  for (let number = 2; ; number += 1) if (!taken.includes(`${name}-${number}`)) return `${name}-${number}`
}
