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
    if (isSame(name, reserved)) throw new InputError(where, `'${reserved}' is the name of the wallet: use another one`)
    const same = names.find((other) => isSame(name, other))
    if (same !== undefined) throw new InputError(where, `another strategy has the name '${same}'`)
    names.push(name)
  })
  return names
}

/** Some file systems do not distinguish small and capital letters. */
const isSame = (name: string, other: string | undefined): boolean => name.toLowerCase() === other?.toLowerCase()

function freeName(name: string, taken: readonly string[]): string {
  const isTaken = (free: string): boolean => taken.some((other) => isSame(free, other))
  if (!isTaken(name)) return name
  for (let number = 2; ; number += 1) if (!isTaken(`${name}-${number}`)) return `${name}-${number}`
}
