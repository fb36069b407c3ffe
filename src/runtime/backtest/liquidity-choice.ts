/**
 * The liquidity model of a run: one that comes with papertape, by its name, or the user's own, from a file.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { InputError } from '../../domain/errors.ts'
import {
  DEFAULT_LIQUIDITY,
  DEFAULT_WITH_BOOK,
  followsBook,
  isLiquidityName,
  liquidity,
  LIQUIDITY_NAMES,
  type LiquidityFactory,
} from '../../simulation/liquidity/liquidity-models.ts'
import { nearestName } from '../../domain/nearest-name.ts'
import { placeOf, type RunTerms } from '../settings/run-terms.ts'
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

/** The model that is asked for; where none is, the usual one. @param hasBooks  a book or quotes are played */
export const liquidityOf = ({ liquidity: asked }: Pick<RunTerms, 'liquidity'>, hasBooks = false): string =>
  asked ?? (hasBooks ? DEFAULT_WITH_BOOK : DEFAULT_LIQUIDITY)

/**
 * @param isCached  false to compile the user's own now, whatever was compiled before
 * @throws {InputError} when there is neither such a model nor such a file, or when the file's default export is no
 * function
 */
export async function chooseLiquidity(reference: string, isCached = true): Promise<LiquidityChoice> {
  if (isLiquidityName(reference)) return { reference, ...liquidity(reference), sha256: null }
  const path = resolve(reference)
  if (!existsSync(path)) throw new InputError(placeOf('liquidity'), unknownModel(reference))
  const { exports, files, unrepeatable } = await importFile(reference, path, isCached)
  const { default: create } = exports
  if (typeof create !== 'function') {
    throw new InputError(reference, 'has no default export that is a function; write `export default (setup) => ...`')
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

/** @throws {InputError} for a model that follows a book, where none was recorded */
export function checkModelForBooks({ reference }: LiquidityChoice, books: readonly unknown[]): void {
  if (books.length > 0 || !followsBook(reference)) return
  throw new InputError(
    placeOf('liquidity'),
    `${reference} needs a recorded book or quotes: pass one with --depth SYMBOL=FILE`,
  )
}

function unknownModel(reference: string): string {
  const nearest = nearestName(reference, LIQUIDITY_NAMES)
  const hint = nearest === undefined ? `expected ${LIQUIDITY_NAMES.join(', ')} or a file` : `did you mean ${nearest}?`
  return `no liquidity model '${reference}'; ${hint}`
}
