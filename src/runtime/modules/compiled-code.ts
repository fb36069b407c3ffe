/**
 * A user's TypeScript or JavaScript as code that runs in a function: imports are calls.
 */
import { createRequire } from 'node:module'
import type * as Jiti from 'jiti'
import { PrivateCache } from './private-cache.ts'
import type { SourceFile } from './source-files.ts'

/** `import` may wait; `require` may not. */
export type ModuleForm = 'import' | 'require'

const require = createRequire(import.meta.url)
const TYPESCRIPT = /\.[cm]?tsx?$/
const COMMON_JS = /\.c[jt]s$/

/** Of the words, any that is in the text, wherever it stands: what has none runs as it is. */
const MODULE_WORDS = /\b(?:import|export|await)\b/

type Transform = (options: Jiti.TransformOptions) => string

export class Compiler {
  readonly #cache: PrivateCache | undefined
  #transform: Transform | undefined

  /** @param isCached  false to compile everything now, whatever was compiled before */
  constructor(isCached: boolean) {
    this.#cache = isCached ? PrivateCache.open() : undefined
  }

  /** Code of the body of a function; one that says `exports.__JITI_ERROR__` where the text does not parse. */
  compile({ path, text, sha256 }: SourceFile, form: ModuleForm): string {
    const isTypeScript = TYPESCRIPT.test(path)
    if (!isTypeScript && !MODULE_WORDS.test(text)) return withoutHashbang(text)
    // The path too: it stands in the code, as `import.meta.url`.
    const key = JSON.stringify([compilerVersion(), path, form, sha256])
    const known = this.#cache?.get(key)
    if (known !== undefined) return known.toString()
    const isAsync = form === 'import'
    this.#transform ??= loadTransform()
    const code = withoutHashbang(
      this.#transform({ source: text, filename: path, ts: isTypeScript, async: isAsync, interopDefault: false }),
    )
    if (!code.includes('__JITI_ERROR__')) this.#cache?.put(key, code)
    return code
  }
}

/** A file that says it is CommonJS is that, however it is asked for. */
export const formOf = (path: string, asked: ModuleForm): ModuleForm => (COMMON_JS.test(path) ? 'require' : asked)

const withoutHashbang = (code: string): string => (code.startsWith('#!') ? `//${code}` : code)

const compilerVersion = (): string => (require('jiti/package.json') as { version: string }).version

/** Only when something has to be compiled: it takes a while to load. */
function loadTransform(): Transform {
  const { createJiti } = require('jiti') as typeof Jiti
  return createJiti(import.meta.url, { fsCache: false, moduleCache: false, sourceMaps: false }).transform
}
