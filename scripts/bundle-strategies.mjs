/**
 * Compiles the strategies of the package, as src/runtime/modules/compiled-code.ts compiles those of users: loading the
 * compiler takes longer than most runs. An edited copy is another text, and is compiled when it runs.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createJiti } from 'jiti'

const FOLDERS = ['strategies', 'templates/strategies', 'examples']

/**
 * JSON of the code of each by the SHA-256 of its text, without those whose code has their path.
 *
 * @param {string} root  with a trailing slash
 */
export function compiledStrategies(root) {
  const { transform } = createJiti(import.meta.url, { fsCache: false, moduleCache: false, sourceMaps: false })
  const files = FOLDERS.flatMap((folder) => readdirSync(root + folder).map((name) => `${root}${folder}/${name}`))
  const compiled = files
    .filter((path) => path.endsWith('.ts'))
    .map((path) => {
      const source = readFileSync(path, 'utf8')
      const code = transform({ source, filename: path, ts: true, async: true, interopDefault: false })
      return [createHash('sha256').update(source).digest('hex'), code]
    })
    .filter(([, code = '']) => !code.includes(root) && !code.includes('import.meta'))
  return JSON.stringify(Object.fromEntries(compiled))
}
