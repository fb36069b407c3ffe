/**
 * An axis of numbers across a drawing: where a value lies, and round numbers below it.
 */
import type { SweptFigure } from '../../src/report/page/sweep/sweep-page-data.ts'
import { roundStep, tickText, ticksOf } from './round-ticks.ts'
import { shape } from './shape.ts'

/** Pixels that a number takes. */
const LABEL = 76

/** The visible range, and its pixels. */
export interface AxisRange {
  readonly values: readonly number[]
  readonly left: number
  readonly right: number
  readonly form: SweptFigure['form']
}

export interface NumberAxis {
  /** Pixels from the left. */
  readonly x: (value: number) => number
  /** Rules from `top` to `bottom` with their numbers below; that of zero is stronger. */
  readonly drawn: (top: number, bottom: number) => readonly SVGElement[]
}

export function numberAxis({ values, left, right, form }: AxisRange): NumberAxis {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const margin = most > least ? (most - least) * 0.03 : Math.abs(most) / 10 || 0.01
  const [low, high] = [least - margin, most + margin]
  const x = (value: number): number => left + ((value - low) / (high - low)) * (right - left)
  const step = roundStep((high - low) / Math.max(2, Math.floor((right - left) / LABEL)))
  const drawn = (top: number, bottom: number): readonly SVGElement[] =>
    ticksOf(low, high, step).flatMap((tick) => {
      const place = x(tick)
      const anchor = place < left + LABEL / 3 ? 'start' : place > right - LABEL / 3 ? 'end' : 'middle'
      return [
        shape('line', { x1: place, x2: place, y1: top, y2: bottom, class: tick === 0 ? 'base' : 'rule' }),
        shape('text', { x: place, y: bottom + 14, 'text-anchor': anchor }, tickText(form, tick, step)),
      ]
    })
  return { x, drawn }
}
