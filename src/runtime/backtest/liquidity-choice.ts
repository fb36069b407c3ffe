/** The liquidity model of a run: a built-in one by its name, or a custom one from a file. */
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
import type { Unrepeatable } from '../sandbox/virtual-globals.ts'
import { importFile } from '../strategies/strategy-file.ts'

export interface LiquidityChoice {
  /** A name or path, as in the settings. */
  readonly reference: string
  readonly create: LiquidityFactory
  /** Caution for readers of its results; empty for none. */
  readonly caution: string
  /** Lower-case hex SHA-256 of the custom file and its imports; null for a built-in model. */
  readonly sha256: string | null
  /** The custom files that ran. */
  readonly files?: SourceFiles
  /** Sources of irreproducibility that the custom file used while it was loaded. */
  readonly unrepeatable?: readonly Unrepeatable[]
}

/** The requested model, or the default. @param hasBooks  whether a book or quotes are played */
export const liquidityOf = ({ liquidity: asked }: Pick<RunTerms, 'liquidity'>, hasBooks = false): string =>
  asked ?? (hasBooks ? DEFAULT_WITH_BOOK : DEFAULT_LIQUIDITY)

/**
 * @param isCached  false to compile a custom file again
 * @throws {InputError} if there is neither such a model nor such a file, or if the file's default export is not a
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

/** Reference of a model object that a program passed. */
export const GIVEN_LIQUIDITY = '(given)'

export const givenLiquidity = (create: LiquidityFactory): LiquidityChoice => ({
  reference: GIVEN_LIQUIDITY,
  create,
  caution: '',
  sha256: null,
})

/** @throws {InputError} for a model that follows a book, if none is recorded */
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
