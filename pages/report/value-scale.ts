/**
 * The scale of values that the equity and the prices are drawn on: even, logarithmic, or what each line gained since
 * the left edge.
 */
import type { Line } from '../../src/report/page/page-data.ts'
import { lastAt } from './candle-bars.ts'
import { percentReaderOf, readerOf } from './numbers.ts'

export const SCALES = [
  ['linear', 'Linear'],
  ['log', 'Logarithmic'],
  ['percent', 'Percent'],
  ['index', 'Rebased to 100'],
] as const

export type ScaleName = (typeof SCALES)[number][0]

export const isScaleName = (name: string): name is ScaleName => SCALES.some(([each]) => each === name)

/** The scale that all charts of a run share. */
export class ValueScale {
  readonly #listeners = new Set<(name: ScaleName) => void>()
  #name: ScaleName = 'linear'

  get name(): ScaleName {
    return this.#name
  }

  /** Calls for every change, and at once. @returns ends that */
  follow(listener: (name: ScaleName) => void): () => void {
    this.#listeners.add(listener)
    listener(this.#name)
    return () => this.#listeners.delete(listener)
  }

  choose(name: ScaleName): void {
    if (name === this.#name) return
    this.#name = name
    for (const listener of this.#listeners) listener(name)
  }
}

/** Whether values depend on where the range begins. */
export const isRelative = (name: ScaleName): boolean => name === 'percent' || name === 'index'

/** A line as it is drawn. @param from  left edge of the range */
export function scaled({ times, values }: Line, name: ScaleName, from: number): Line {
  if (name === 'linear') return { times, values }
  const base = name === 'log' ? 1 : (lastAt({ times, values }, from) ?? values.find((value) => value !== null) ?? 0)
  const drawn = values.map((value) => {
    if (value === null || (name === 'log' && value <= 0) || base <= 0) return null
    if (name === 'log') return Math.log10(value)
    return name === 'percent' ? value / base - 1 : (100 * value) / base
  })
  return { times, values: drawn }
}

type Reader = (width: number) => (value: number) => string

/** Texts of drawn values, by the width that they are spread over. @param plain  of values as they are */
export function scaledReader(name: ScaleName, plain: Reader): Reader {
  if (name === 'linear') return plain
  if (name === 'percent') return percentReaderOf
  if (name === 'index') return readerOf
  return (width) => (value) => plain(10 ** value * Math.min(width * Math.LN10, 1))(10 ** value)
}
