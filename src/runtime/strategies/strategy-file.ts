/**
 * Strategies from files: TypeScript or JavaScript, loaded as they are, without a build step.
 *
 * Their imports of `papertape`, `papertape/liquidity`, `rxjs` and `zod` are ours, wherever the file lies, so that
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
import { pinZoneAndLocale } from '../backtest/pinned-locale.ts'
import { guardGlobals, type Unrepeatable } from '../backtest/virtual-globals.ts'
import type { SourceFiles } from '../modules/source-files.ts'
import { UserCode, type Exports } from '../modules/user-code.ts'
import { checkedStrategy } from './checked-strategy.ts'
import { READY_FOLDER, readyStrategies } from './ready-strategies.ts'

export interface LoadedStrategy {
  readonly strategy: Strategy
  /** As the user named it: a ready strategy's name, or a path. */
  readonly reference: string
  /** Absolute; null for a strategy that a program gave. */
  readonly path: string | null
  /** True for one that comes with papertape. */
  readonly isReady: boolean
  /** Lower-case hex SHA-256 of the file and what it imports; null for a strategy that a program gave. */
  readonly sha256: string | null
  /** The files that ran; undefined for a strategy that a program gave. */
  readonly files?: SourceFiles
  /** What it used while it was loaded, and that may be another the next time. */
  readonly unrepeatable?: readonly Unrepeatable[]
  /** The same strategy from the same bytes, with nothing that its modules remember. */
  readonly again?: () => Promise<LoadedStrategy>
}

const EXTENSIONS = ['.ts', '.mts', '.js', '.mjs', '.cjs', '.cts']

/**
 * Loads a ready strategy by its name, or a file by its path.
 *
 * @param isCached  false to compile it now, whatever was compiled before
 * @throws {InputError} when there is none, when it cannot be loaded, or when its default export is no strategy
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

/** A strategy that a program gave as it is. @throws {InputError} when it is none */
export const givenStrategy = (strategy: Strategy): LoadedStrategy => {
  const checked = checkedStrategy('the strategy', { default: strategy })
  return { strategy: checked, reference: checked.name, path: null, isReady: false, sha256: null }
}

/** What a file of the user's exports, and the files that it came from. */
export interface ImportedCode {
  readonly exports: Exports
  readonly files: SourceFiles
  /** What it used while it was loaded, and that may be another the next time. */
  readonly unrepeatable: readonly Unrepeatable[]
}

/**
 * The exports of a TypeScript or JavaScript file of the user's.
 *
 * @param isCached  false to compile it now, whatever was compiled before
 * @throws {InputError} when it throws or does not parse
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
      // Few files ask for it, since all of it is in rxjs too.
      'rxjs/operators': () => createRequire(import.meta.url)('rxjs/operators') as unknown,
    },
    isCached,
  )
}

/** In the zone and the language of a run. */
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
    // A syntax error has its place on a line of its own.
    const [message = '', place = ''] = thrownText(error).split('\n')
    const said = place.trim().startsWith(code.files.entry) ? `${message} (${place.trim()})` : message
    throw new InputError(where, `cannot be loaded: ${said}`, { cause: error })
  } finally {
    restoreGlobals()
    restoreZone()
  }
}

/** The file of an export of the package, as this one is: compiled or not. */
async function importExport(name: string): Promise<unknown> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return import(new URL(`../../${name}.${extension}`, import.meta.url).href) as Promise<unknown>
}

/** Absolute path of a ready strategy, or of a file. @throws {InputError} when there is none */
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
