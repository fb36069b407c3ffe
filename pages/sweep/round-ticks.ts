/**
 * Round numbers along an axis, and how they are written.
 */
import type { SweptFigure } from '../../src/report/page/sweep/sweep-page-data.ts'
import { figureText } from '../../src/report/page/sweep/figure-text.ts'
import { grouped } from '../parts/words.ts'

/** More digits are not written out. */
const MAX_DIGITS = 6

/** 1, 2 or 5 times a power of ten, at least as large. */
export function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  return power * ([1, 2, 5].find((each) => each * power >= rough) ?? 10)
}

/** Multiples of a step, rising. */
export function ticksOf(low: number, high: number, step: number): readonly number[] {
  const ticks: number[] = []
  for (let index = Math.ceil(low / step); index * step <= high; index += 1) ticks.push(index === 0 ? 0 : index * step)
  return ticks
}

/** With as many digits as the step has. */
export function tickText(form: SweptFigure['form'], tick: number, step: number): string {
  const scale = form === 'share' ? 100 : 1
  const digits = Math.max(0, Math.ceil(-Math.log10(step * scale) - 1e-9))
  if (form === 'milliseconds' || digits > MAX_DIGITS) return figureText({ form }, tick)
  return `${grouped((tick * scale).toFixed(digits))}${form === 'share' ? ' %' : ''}`
}
