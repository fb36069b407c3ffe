/**
 * The liquidity model of a run: one that comes with papertape, by its name, or the user's own, from a file.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { InputError } from '../../domain/errors.ts'
import {
  isLiquidityName,
  liquidity,
  LIQUIDITY_NAMES,
  type LiquidityFactory,
} from '../../simulation/liquidity/liquidity-models.ts'
import { nearestName } from '../../domain/nearest-name.ts'
import { placeOf } from '../settings/run-terms.ts'
import type { SourceFiles } from '../modules/source-files.ts'
import type { Unrepeatable } from './virtual-globals.ts'
import { importFile } from '../strategies/strategy-file.ts'

export interface LiquidityChoice {
  /** As the user named it: a name, or a path. */
  readonly reference: string
  readonly create: LiquidityFactory
  /** Caution for whoever reads a result under it; empty for none. */
  readonly caution: string
  /** Lower-case hex SHA-256 of the user's file and what it imports; null for a model that comes with papertape. */
  readonly sha256: string | null
  /** The user's files that ran. */
  readonly files?: SourceFiles
  /** What the user's file used while it was loaded, and that may be another the next time. */
  readonly unrepeatable?: readonly Unrepeatable[]
}

/**
 * @param isCached  false to compile the user's own now, whatever was compiled before
 * @throws {InputError} when there is neither such a model nor such a file, or when the file's default export is no function
 */
export async function chooseLiquidity(reference: string, isCached = true): Promise<LiquidityChoice> {
  if (isLiquidityName(reference)) return { reference, ...liquidity(reference), sha256: null }
  const path = resolve(reference)
  if (!existsSync(path)) throw new InputError(placeOf('liquidity'), unknownModel(reference))
  const { exports, files, unrepeatable } = await importFile(reference, path, isCached)
  const { default: create } = exports
  if (typeof create !== 'function') {
    throw new InputError(reference, 'has no default export that makes a model; write `export default (setup) => ...`')
  }
  return { reference, create: create as LiquidityFactory, caution: '', sha256: files.digest(), files, unrepeatable }
}

/** Reference of a model that a program gave as it is. */
export const GIVEN_LIQUIDITY = '(given)'

export const givenLiquidity = (create: LiquidityFactory): LiquidityChoice => ({
  reference: GIVEN_LIQUIDITY,
  create,
  caution: '',
  sha256: null,
})

function unknownModel(reference: string): string {
  const nearest = nearestName(reference, LIQUIDITY_NAMES)
  const hint = nearest === undefined ? `expected ${LIQUIDITY_NAMES.join(', ')} or a file` : `did you mean ${nearest}?`
  return `no liquidity model '${reference}'; ${hint}`
}
