/**
 * Strategies from files: TypeScript or JavaScript, loaded as they are, without a build step.
 *
 * Their imports of `papertape`, `papertape/liquidity`, `rxjs` and `zod` are ours, wherever the file lies, so that streams, virtual
 * time and schemas are those of the run. Known limit: the hash is of the one file, not of what it imports.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createJiti } from 'jiti'
import * as rxjs from 'rxjs'
import * as zod from 'zod'
import { InputError } from '../../domain/errors.ts'
import { nearestName } from '../../domain/nearest-name.ts'
import type { Strategy } from '../../strategy/strategy.ts'

export interface LoadedStrategy {
  readonly strategy: Strategy
  /** As the user named it: a ready strategy's name, or a path. */
  readonly reference: string
  /** Absolute; null for a strategy that a program gave. */
  readonly path: string | null
  /** True for one that comes with papertape. */
  readonly isReady: boolean
  /** Lower-case hex SHA-256 of the file; null for a strategy that a program gave. */
  readonly sha256: string | null
}

const READY = fileURLToPath(new URL('../../../strategies/', import.meta.url))
const EXTENSIONS = ['.ts', '.mts', '.js', '.mjs', '.cjs', '.cts']

/** Names of the strategies that come with papertape. */
export function readyStrategies(): readonly string[] {
  return readdirSync(READY)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort()
}

/**
 * Loads a ready strategy by its name, or a file by its path.
 *
 * @throws {InputError} when there is none, when it cannot be loaded, or when its default export is no strategy
 */
export async function loadStrategy(reference: string): Promise<LoadedStrategy> {
  const path = pathOf(reference)
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex')
  return {
    strategy: strategyOf(reference, await importFile(reference, path)),
    reference,
    path,
    isReady: path.startsWith(READY),
    sha256,
  }
}

/** A strategy that a program gave as it is. @throws {InputError} when it is none */
export const givenStrategy = (strategy: Strategy): LoadedStrategy => {
  const checked = strategyOf('strategy', { default: strategy })
  return { strategy: checked, reference: checked.name, path: null, isReady: false, sha256: null }
}

/**
 * The exports of a TypeScript or JavaScript file of the user's.
 *
 * @throws {InputError} when it throws or does not parse
 */
export async function importFile(where: string, path: string): Promise<Readonly<Record<string, unknown>>> {
  const [papertape, liquidity] = await Promise.all([importExport('index'), importExport('liquidity')])
  const jiti = createJiti(import.meta.url, {
    moduleCache: false,
    interopDefault: false,
    virtualModules: {
      papertape,
      'papertape/liquidity': liquidity,
      rxjs,
      zod,
      // Few files ask for it, since all of it is in rxjs too.
      get 'rxjs/operators'(): unknown {
        return createRequire(import.meta.url)('rxjs/operators') as unknown
      },
    },
  })
  try {
    return await jiti.import<Record<string, unknown>>(path)
  } catch (error) {
    // A syntax error has its place on a line of its own.
    const [message = '', place = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    const said = place.trim().startsWith(path) ? `${message} (${place.trim()})` : message
    throw new InputError(where, `cannot be loaded: ${said}`, { cause: error })
  }
}

/** The file of an export of the package, as this one is: compiled or not. */
async function importExport(name: string): Promise<unknown> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return import(new URL(`../../${name}.${extension}`, import.meta.url).href) as Promise<unknown>
}

function pathOf(reference: string): string {
  const ready = join(READY, `${reference}.ts`)
  if (/^[a-z0-9-]+$/.test(reference) && existsSync(ready)) return ready
  const path = isAbsolute(reference) ? reference : resolve(reference)
  if (existsSync(path)) {
    if (statSync(path).isFile() && EXTENSIONS.some((extension) => path.endsWith(extension))) return path
    throw new InputError(reference, `expected a strategy file that ends in ${EXTENSIONS.join(', ')}`)
  }
  const nearest = nearestName(reference, readyStrategies())
  const hint =
    nearest === undefined ? `ready strategies: ${readyStrategies().join(', ')}` : `did you mean '${nearest}'?`
  throw new InputError(reference, `no such strategy file, and no ready strategy of this name; ${hint}`)
}

function strategyOf(reference: string, exports: Readonly<Record<string, unknown>>): Strategy {
  // A CommonJS file may be the strategy itself.
  const candidate = exports.default ?? (Object.hasOwn(exports, 'run') ? exports : undefined)
  if (typeof candidate !== 'object') {
    throw new InputError(reference, 'has no default export; write `export default defineStrategy({ ... })`')
  }
  const { name, params, run } = candidate as Partial<Record<keyof Strategy, unknown>>
  if (typeof name !== 'string' || name === '') throw new InputError(reference, 'its strategy has no name')
  if (typeof run !== 'function') throw new InputError(reference, `strategy '${name}' has no function run`)
  if (!isObjectSchema(params)) throw new InputError(reference, `the params of strategy '${name}' are no z.object`)
  return candidate as Strategy
}

/** True for a zod object schema, by its form: the file may have brought a zod of its own. */
function isObjectSchema(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('def' in value)) return false
  const { def } = value
  return typeof def === 'object' && def !== null && 'type' in def && def.type === 'object'
}
