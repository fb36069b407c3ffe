/**
 * A sweep packed for other machines: everything its points need, with settings as plain JSON, and tapes and code files
 * by SHA-256.
 *
 * Invariant: a bundle is identified by the digest of its text, and names all executed bytes by digest. It contains no
 * paths of the sender.
 */
import { dirname, relative, sep } from 'node:path'
import { z } from 'zod'
import { InputError } from '../../../domain/errors.ts'
import { setting } from '../../../domain/setting-name.ts'
import type { CodeSource } from '../../../runtime/modules/source-files.ts'
import type { BacktestSettings } from '../../../runtime/settings/backtest-settings.ts'
import type { TurnLimit } from '../../../runtime/turn-watch.ts'
import type { InspectedTape } from '../../../store/tapes/inspected-tape.ts'
import { sha256Schema } from './point-queue.ts'

/** Relative path in the folder where a bundle is unpacked. */
const innerPath = z
  .string()
  .refine(
    (path) =>
      path !== '' &&
      !/^[\\/]|^[a-z]:|\\/i.test(path) &&
      !path.split('/').some((part) => /^(?:\.{0,2}|node_modules)$/.test(part)),
  )

const codeSchema = z.strictObject({
  entry: innerPath,
  files: z.array(z.strictObject({ path: innerPath, sha256: sha256Schema })).min(1),
  packages: z.array(z.string()),
})
export type TravellingCode = z.output<typeof codeSchema>

const bundleSchema = z.strictObject({
  /** Identity hash of the sweep, on which the keys of its points depend. */
  identity: sha256Schema,
  /** Settings as on the sender. */
  settings: z.looseObject({ strategy: z.string(), liquidity: z.string().nullable() }),
  turnLimit: z.union([z.number(), z.literal('off')]),
  /** Tapes of the settings: their inspection, and the SHA-256 of a .tape file with their rows. */
  tapes: z.array(z.strictObject({ inspected: z.looseObject({}), sha256: sha256Schema })).min(1),
  /** Series of the settings: their names, and the SHA-256 of their files. */
  series: z.array(z.strictObject({ name: z.string(), sha256: sha256Schema })).optional(),
  /** Null for a built-in strategy. */
  strategy: codeSchema.nullable(),
  liquidity: codeSchema.nullable(),
  /** Expected SHA-256 of the loaded code. */
  strategySha256: z.string().nullable(),
  liquiditySha256: z.string().nullable(),
})
type BundleForm = z.output<typeof bundleSchema>

export interface JobBundle extends Omit<BundleForm, 'settings' | 'turnLimit' | 'tapes'> {
  readonly settings: BacktestSettings
  readonly turnLimit: TurnLimit
  readonly tapes: readonly { readonly inspected: Omit<InspectedTape, 'rows'>; readonly sha256: string }[]
}

/** @throws {InputError} for settings that are not plain values */
export function jobBundleText(bundle: JobBundle): string {
  const { settings } = bundle
  const text = JSON.stringify(bundle)
  const { settings: read } = JSON.parse(text) as { settings: Record<string, unknown> }
  for (const [name, value] of Object.entries(settings.params)) {
    const reported = (read.params as Record<string, unknown>)[name]
    if (JSON.stringify(reported) === JSON.stringify(value) && isPlain(value)) continue
    throw new InputError(setting(`fixed.${name}`), 'is no plain value, and cannot travel to another machine')
  }
  return text
}

const isPlain = (value: unknown): boolean => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isPlain)
  return (
    typeof value === 'object' &&
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.values(value).every(isPlain)
  )
}

/** @throws {InputError} for text that is not a bundle of this version */
export function readJobBundle(text: string): JobBundle {
  try {
    const bundle: unknown = JSON.parse(text)
    bundleSchema.parse(bundle)
    // Settings and tapes need no check: the name of the queue includes the version.
    return bundle as JobBundle
  } catch (error) {
    throw new InputError(setting('redis'), 'has a sweep that this version of papertape cannot read', { cause: error })
  }
}

/**
 * Relative paths for files on another machine, below the nearest common folder.
 *
 * @param reference  code reference of the user that needs these files
 * @param paths      absolute
 * @returns relative path of each file, with `/` as separator
 * @throws {InputError} for a file in a package, because packages are installed on each machine, or for files on several
 * drives
 */
export function travellingPaths(reference: string, paths: readonly string[]): ReadonlyMap<string, string> {
  const inPackage = paths.find((path) => path.split(sep).includes('node_modules'))
  if (inPackage !== undefined) {
    const what = `imports '${inPackage}' from a package that must be compiled`
    throw new InputError(reference, `${what}; workers load only packages that Node runs unchanged`)
  }
  const folder = commonFolder(paths.map(dirname))
  if (folder === undefined)
    throw new InputError(reference, 'imports files from several drives, which cannot be sent to other machines')
  return new Map(paths.map((path) => [path, relative(folder, path).split(sep).join('/')]))
}

function commonFolder(folders: readonly string[]): string | undefined {
  let common = folders[0]
  for (const folder of folders) {
    while (common !== undefined && folder !== common && !folder.startsWith(withEnd(common))) {
      const above = dirname(common)
      common = above === common ? undefined : above
    }
  }
  return common
}

const withEnd = (folder: string): string => (folder.endsWith(sep) ? folder : `${folder}${sep}`)

/**
 * @param reference  as passed by the user
 * @throws {InputError} for files that cannot be sent
 */
export function travellingCode(reference: string, source: CodeSource | undefined): TravellingCode | null {
  if (source === undefined) return null
  const { entry, files, packages } = source
  const paths = travellingPaths(
    reference,
    files.map(({ path }) => path),
  )
  return {
    entry: paths.get(entry) ?? '',
    files: files.map(({ path, sha256 }) => ({ path: paths.get(path) ?? '', sha256 })),
    packages: [...packages],
  }
}
