/**
 * Scripts and styles of pages, as the build leaves them.
 */
import { readFileSync } from 'node:fs'
import { InputError } from '../../domain/errors.ts'

const FOLDER = new URL('../../../dist/pages/', import.meta.url)

/**
 * @param name  such as `sweep.js`
 * @throws {InputError} when the pages were not built
 */
export function builtFile(name: string): string {
  try {
    return readFileSync(new URL(name, FOLDER), 'utf8')
  } catch (error) {
    throw new InputError(`dist/pages/${name}`, 'is not there: npm run build makes it', { cause: error })
  }
}
