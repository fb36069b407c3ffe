/**
 * Key of a point: a hash over everything that its outcome depends on, without paths, so that it is the same on every
 * machine.
 */
import { createHash } from 'node:crypto'
import type { InspectedSeries } from '../store/series/inspected-series.ts'
import type { InspectedTape } from '../store/tapes/inspected-tape.ts'
import type { InspectedBook } from '../store/books/inspected/inspected-book.ts'
import type { BookTapeInfo } from '../tape/book-tape.ts'
import type { TapeInfo } from '../tape/tape.ts'
import { digestedTerms } from '../runtime/settings/former-terms.ts'
import type { RunTerms } from '../runtime/settings/run-terms.ts'
import type { SweepRun } from './sweep-point.ts'

/** The common part of all points of a sweep. */
export interface SweepIdentity {
  /** Version of papertape. */
  readonly version: string
  readonly strategy: StrategyIdentity
  readonly tapes: readonly TapeIdentity[]
  /** Recorded books and quotes; undefined if there are none. */
  readonly books?: readonly BookIdentity[] | undefined
  /** SHA-256 of each series by name; undefined if there are none. */
  readonly series?: Readonly<Record<string, string>> | undefined
  /** Terms of the run, with a custom liquidity model as its hash. */
  readonly settings: Readonly<Record<string, unknown>>
}

export interface StrategyIdentity {
  readonly name: string
  /** Hash of its files; null for a strategy object of a program, which is identified by its name only. */
  readonly sha256: string | null
}

/** A tape, by its bytes and its reading settings. */
export type TapeIdentity = Pick<
  TapeInfo,
  'symbol' | 'kind' | 'sha256' | 'rows' | 'from' | 'to' | 'pricePrecision' | 'qtyPrecision'
> & {
  readonly intervalMs: number | null
  /** Hash of the file of gaps beside it; null if there is none. */
  readonly gapsSha256: string | null
  /** Only the given reading settings. */
  readonly reading: Readonly<Record<string, unknown>>
}

/** A recorded book, or quotes, by its bytes and its reading settings. */
export type BookIdentity = Pick<
  BookTapeInfo,
  'symbol' | 'kind' | 'sha256' | 'rows' | 'from' | 'to' | 'pricePrecision' | 'qtyPrecision'
> & { readonly reading: Readonly<Record<string, unknown>> }

export const bookIdentity = ({ source, info }: InspectedBook): BookIdentity => {
  const { symbol, kind, sha256, rows, from, to, pricePrecision, qtyPrecision } = info
  return { symbol, kind, sha256, rows, from, to, pricePrecision, qtyPrecision, reading: readingIn(source) }
}

/** Nothing for a run without series, whose identity is as it was before there were any. */
export const seriesIdentity = (all: readonly InspectedSeries[]): Pick<SweepIdentity, 'series'> =>
  all.length === 0 ? {} : { series: Object.fromEntries(all.map(({ info: { name, sha256 } }) => [name, sha256])) }

const readingIn = (source: InspectedTape['source']): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(source).filter(([name]) => name !== 'file' && name !== 'symbol'))

export const tapeIdentity = ({ source, info }: InspectedTape): TapeIdentity => {
  const { symbol, kind, sha256, rows, from, to, pricePrecision, qtyPrecision, intervalMs, gaps } = info
  return {
    symbol,
    kind,
    sha256,
    rows,
    from,
    to,
    pricePrecision,
    qtyPrecision,
    intervalMs: intervalMs ?? null,
    gapsSha256: gaps?.sha256 ?? null,
    reading: readingIn(source),
  }
}

/** Settings of a program or user except strategy and tapes. */
export interface GivenSettings {
  readonly terms: RunTerms
  /** Lower-case hex SHA-256 of a custom liquidity model; null for a built-in one. */
  readonly liquiditySha256: string | null
  /** Decimal strings by asset, as given. */
  readonly credit: Readonly<Record<string, string>>
  /** Parameters shared by all points, as values and as texts. */
  readonly params: Readonly<Record<string, unknown>>
  readonly paramTexts: Readonly<Record<string, string>>
}

/** Without the path of a liquidity model. */
export const settingsIdentity = (given: GivenSettings): Readonly<Record<string, unknown>> => {
  const { terms, liquiditySha256, credit, params, paramTexts } = given
  return { ...digestedTerms(terms), liquidity: liquiditySha256 ?? terms.liquidity, credit, params, paramTexts }
}

/** Lower-case hex SHA-256 of a sweep's identity, independent of the order of its keys. */
export const identityHash = (identity: SweepIdentity): string => contentHash(identity)

/**
 * @param identity  as returned by `identityHash`
 * @returns lower-case hex SHA-256 over the identity and the run, independent of the order of its parameters
 */
export function pointKey(identity: string, { params, terms = {} }: SweepRun): string {
  const { window, shuffle, isDetailed = false } = terms
  return contentHash({ identity, params, window: window ?? null, shuffle: shuffle ?? null, isDetailed })
}

/** Lower-case hex SHA-256 of plain JSON, independent of the order of its keys. */
export const contentHash = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex')

/** JSON with keys sorted by code units. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : part,
  )
}
