/** Compiles a user's TypeScript or JavaScript to code that runs in a function, with imports as calls. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type * as Jiti from 'jiti'
import { PrivateCache } from './private-cache.ts'
import type { SourceFile } from './source-files.ts'

/** `import` may be asynchronous; `require` may not. */
export type ModuleForm = 'import' | 'require'

const require = createRequire(import.meta.url)
const TYPESCRIPT = /\.[cm]?tsx?$/
const COMMON_JS = /\.c[jt]s$/

/** Keywords, anywhere in the text: code without any runs unchanged. */
const MODULE_WORDS = /\b(?:import|export|await)\b/

type Transform = (options: Jiti.TransformOptions) => string

export class Compiler {
  readonly #cache: PrivateCache | undefined
  #transform: Transform | undefined

  /** @param isCached  false to compile everything again */
  constructor(isCached: boolean) {
    this.#cache = isCached ? PrivateCache.open() : undefined
  }

  /** The code of a function body; it assigns `exports.__JITI_ERROR__` if the text does not parse. */
  compile({ path, text, sha256 }: SourceFile, form: ModuleForm): string {
    const isTypeScript = TYPESCRIPT.test(path)
    if (!isTypeScript && !MODULE_WORDS.test(text)) return withoutHashbang(text)
    const ready = form === 'import' ? compiledWithProgram()[sha256] : undefined
    if (ready !== undefined) return ready
    // Includes the path, because it is in the code as `import.meta.url`.
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

let withProgram: Readonly<Record<string, string>> | undefined

/** Code of the strategies of the package by the SHA-256 of their text; empty for a program that is not bundled. */
function compiledWithProgram(): Readonly<Record<string, string>> {
  if (withProgram !== undefined) return withProgram
  const file = new URL('../../compiled.json', import.meta.url)
  withProgram = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}
  return withProgram
}

/** A file with a CommonJS extension is always loaded as such. */
export const formOf = (path: string, asked: ModuleForm): ModuleForm => (COMMON_JS.test(path) ? 'require' : asked)

const withoutHashbang = (code: string): string => (code.startsWith('#!') ? `//${code}` : code)

const compilerVersion = (): string => (require('jiti/package.json') as { version: string }).version

/** Loaded on demand, because loading takes a while. */
function loadTransform(): Transform {
  const { createJiti } = require('jiti') as typeof Jiti
  return createJiti(import.meta.url, { fsCache: false, moduleCache: false, sourceMaps: false }).transform
}
