/**
 * Names that a file takes of a module and that are not in it. Node tells so of ES modules before any of them runs;
 * compiled code would meet
 * `undefined` when it calls them.
 */
import { nearestNameHint } from '../../domain/nearest-name.ts'

/** Of code as compiled: the variable that holds a module. */
const IMPORTED = /\b(\w+) = (?:_interopRequire\w+\()?await jitiImport\(\s*(?:"([^"\\\n]+)"|'([^'\\\n]+)')\s*\)/g

/**
 * @param code      as compiled
 * @param moduleOf  what an import of a name gives; undefined where that is not known before
 * @throws {Error} for the first name that is not there
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
