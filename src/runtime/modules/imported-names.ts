/**
 * Detects imports of names that a module does not export.
 *
 * Node reports them for ES modules before any code runs; in compiled code they would be `undefined` when they are
 * called.
 */
import { nearestNameHint } from '../../domain/nearest-name.ts'

/** Pattern in compiled code: the variable that holds a module. */
const IMPORTED = /\b(\w+) = (?:_interopRequire\w+\()?await jitiImport\(\s*(?:"([^"\\\n]+)"|'([^'\\\n]+)')\s*\)/g

/**
 * @param code      compiled
 * @param moduleOf  the module of a specifier; undefined if it is not known in advance
 * @throws {Error} for the first name that is not exported
 */
export function checkImportedNames(code: string, moduleOf: (specifier: string) => unknown): void {
  for (const [, variable = '', double, single = ''] of code.matchAll(IMPORTED)) {
    const specifier = double ?? single
    const module = moduleOf(specifier)
    if (typeof module !== 'object' || module === null) continue
    const names = Object.keys(module)
    for (const [, name = ''] of code.matchAll(new RegExp(String.raw`(?<![\w.$])${variable}\.(\w+)`, 'g'))) {
      if (name in module || name === 'default') continue
      throw new Error(`'${specifier}' has no '${name}'${nearestNameHint(name, names)}`)
    }
  }
}
