/**
 * Loads strategies from TypeScript or JavaScript files, without a build step.
 *
 * Their imports of `papertape`, `papertape/liquidity`, `rxjs` and `zod` resolve to ours, wherever the file is, so that
 * streams, virtual time and schemas are those of the run.
 */
import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isAbsolute, join, resolve } from 'node:path'
import * as rxjs from 'rxjs'
import * as zod from 'zod'
import { InputError } from '../../domain/errors.ts'
import { nearestName } from '../../domain/nearest-name.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import type { Strategy } from '../../strategy/strategy.ts'
import { watchedWork } from '../heartbeat.ts'
import { pinZoneAndLocale } from '../sandbox/pinned-locale.ts'
import { guardGlobals, type Unrepeatable } from '../sandbox/virtual-globals.ts'
import type { SourceFiles } from '../modules/source-files.ts'
import { UserCode, type Exports } from '../modules/user-code.ts'
import { checkedStrategy } from './checked-strategy.ts'
import { READY_FOLDER, readyStrategies } from './ready-strategies.ts'

export interface LoadedStrategy {
  readonly strategy: Strategy
  /** Name of a built-in strategy, or a path, as given by the user. */
  readonly reference: string
  /** Absolute; null for a strategy object that a program passed. */
  readonly path: string | null
  /** True for a built-in strategy. */
  readonly isReady: boolean
  /** Lower-case hex SHA-256 of the file and its imports; null for a strategy object. */
  readonly sha256: string | null
  /** The files that ran; undefined for a strategy object. */
  readonly files?: SourceFiles
  /** Sources of irreproducibility that it used while it was loaded. */
  readonly unrepeatable?: readonly Unrepeatable[]
  /** Reloads the strategy from the same bytes, without the state of its modules. */
  readonly again?: () => Promise<LoadedStrategy>
}

const EXTENSIONS = ['.ts', '.mts', '.js', '.mjs', '.cjs', '.cts']

/**
 * Loads a built-in strategy by its name, or a file by its path.
 * @param isCached  false to compile it again
 * @throws {InputError} if there is none, if it cannot be loaded, or if its default export is not a strategy
 */
export async function loadStrategy(reference: string, isCached = true): Promise<LoadedStrategy> {
  const path = strategyPath(reference)
  const code = await userCode(path, isCached)
  const load = async (): Promise<LoadedStrategy> => {
    const { strategy, unrepeatable } = await watchedWork('loading', reference, async () => {
      const { exports, unrepeatable } = await loaded(reference, code)
      return { strategy: checkedStrategy(reference, exports), unrepeatable }
    })
    const { files } = code
    const isReady = path.startsWith(READY_FOLDER)
    return { strategy, reference, path, isReady, sha256: files.digest(), files, unrepeatable, again: load }
  }
  return load()
}

/** Wraps a strategy object that a program passed. @throws {InputError} if it is not a strategy */
export const givenStrategy = (strategy: Strategy): LoadedStrategy => {
  const checked = checkedStrategy('the strategy', { default: strategy })
  return { strategy: checked, reference: checked.name, path: null, isReady: false, sha256: null }
}

/** Exports of a user's file, and the files they came from. */
export interface ImportedCode {
  readonly exports: Exports
  readonly files: SourceFiles
  /** Sources of irreproducibility that it used while it was loaded. */
  readonly unrepeatable: readonly Unrepeatable[]
}

/**
 * The exports of a user's TypeScript or JavaScript file.
 * @param isCached  false to compile it again
 * @throws {InputError} if it throws or does not parse
 */
export async function importFile(where: string, path: string, isCached = true): Promise<ImportedCode> {
  const code = await userCode(path, isCached)
  return watchedWork('loading', where, () => loaded(where, code))
}

async function userCode(path: string, isCached: boolean): Promise<UserCode> {
  const [papertape, liquidity] = await Promise.all([importExport('index'), importExport('liquidity')])
  return new UserCode(
    path,
    {
      papertape: () => papertape,
      'papertape/liquidity': () => liquidity,
      rxjs: () => rxjs,
      zod: () => zod,
      // Few files import it, because rxjs exports all of it, too.
      'rxjs/operators': () => createRequire(import.meta.url)('rxjs/operators') as unknown,
    },
    isCached,
  )
}

/** Runs with the pinned zone and language. */
async function loaded(where: string, code: UserCode): Promise<ImportedCode> {
  const unrepeatable: Unrepeatable[] = []
  const restoreZone = pinZoneAndLocale()
  const restoreGlobals = guardGlobals({
    isInside: () => false,
    onInexactMath: () => undefined,
    onUnrepeatable: (use) => void unrepeatable.push(use),
  })
  try {
    const exports = await code.load()
    const outside = code.files.outside.map((name) => ({ name, place: undefined }))
    return { exports, files: code.files, unrepeatable: [...unrepeatable, ...outside] }
  } catch (error) {
    // A syntax error has its place on a separate line.
    const [message = '', place = ''] = thrownText(error).split('\n')
    const said = place.trim().startsWith(code.files.entry) ? `${message} (${place.trim()})` : message
    throw new InputError(where, `cannot be loaded: ${said}`, { cause: error })
  } finally {
    restoreGlobals()
    restoreZone()
  }
}

/** The file of a package export, in the same form as this one: compiled or not. */
async function importExport(name: string): Promise<unknown> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return import(new URL(`../../${name}.${extension}`, import.meta.url).href) as Promise<unknown>
}

/** Absolute path of a built-in strategy, or of a file. @throws {InputError} if there is none */
export function strategyPath(reference: string): string {
  const ready = join(READY_FOLDER, `${reference}.ts`)
  if (/^[a-z0-9-]+$/.test(reference) && existsSync(ready)) return ready
  const path = isAbsolute(reference) ? reference : resolve(reference)
  if (existsSync(path)) {
    if (statSync(path).isFile() && EXTENSIONS.some((extension) => path.endsWith(extension))) return path
    throw new InputError(reference, `expected a strategy file ending in ${EXTENSIONS.join(', ')}`)
  }
  const nearest = nearestName(reference, readyStrategies())
  const hint =
    nearest === undefined ? `ready strategies: ${readyStrategies().join(', ')}` : `did you mean '${nearest}'?`
  throw new InputError(reference, `no such file, and no ready strategy has this name; ${hint}`)
}
