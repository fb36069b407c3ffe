/**
 * Colours for numbers: from the ground to teal where more is better, to vermilion below zero. The colour-blind report
 * them apart, and no number is reported by its colour alone.
 */
import type { SweptFigure } from '../../src/report/page/sweep/sweep-page-data.ts'
import { colourOf } from '../parts/palette.ts'

export interface ColourScale {
  /** Lowest and highest number. */
  readonly least: number
  readonly most: number
  /** Numbers at the ends of the colours: those beyond have the colour of the end. */
  readonly low: number
  readonly high: number
  /** -1 for the worst, 0 for the ground, 1 for the best. */
  readonly place: (value: number) => number
}

/**
 * One of a hundred at either end is left beyond the scale: a single wild point would leave all others without a colour.
 */
const BEYOND = 0.01

/** @param values  null where there is none */
export function colourScale(values: readonly (number | null)[], better: SweptFigure['better']): ColourScale {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b)
  const at = (share: number): number => sorted[Math.round((sorted.length - 1) * share)] ?? 0
  const [low, high] = [at(BEYOND), at(1 - BEYOND)]
  const range = { least: at(0), most: at(1), low, high }
  const sign = better === 'higher' ? 1 : -1
  // Each side by itself: a deep fall takes no colour from what is above zero.
  if (low < 0 && better === 'higher') {
    return { ...range, place: (value) => (value < 0 ? within(value / -low) : high > 0 ? within(value / high) : 0) }
  }
  const width = high - low
  if (width === 0) return { ...range, place: () => 0.5 }
  return { ...range, place: (value) => Math.max(0, within((sign * (value - (sign > 0 ? low : high))) / width)) }
}

const within = (place: number): number => Math.max(-1, Math.min(1, place))

type Rgb = readonly [red: number, green: number, blue: number]

/** The colours of the page as they are now. */
export class Inks {
  readonly #ground = rgbOf('--surface')
  readonly #up = rgbOf('--up')
  readonly #down = rgbOf('--down')

  /** @param place  as a scale has it */
  at(place: number): string {
    const end = place < 0 ? this.#down : this.#up
    // Even the least differs from what has no value.
    const share = 0.08 + 0.92 * Math.abs(place)
    const mixed = this.#ground.map((part, index) => Math.round(part + ((end[index] ?? part) - part) * share))
    return `rgb(${mixed.join(' ')})`
  }
}

function rgbOf(name: string): Rgb {
  const hex = Number.parseInt(colourOf(name).slice(1), 16)
  return [(hex >> 16) & 255, (hex >> 8) & 255, hex & 255]
}
