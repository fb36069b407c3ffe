/**
 * A band from the lowest to the highest position of each step of a chart, behind the line of the last: a line alone
 * hides what was bought and sold again within a step.
 */
import { colourOf } from '../parts/palette.ts'
import type { Steps } from './candle-bars.ts'
import { ChartPrimitive } from './chart-primitive.ts'
import type { HeldStep } from './held-position.ts'
import type { TimeRange } from './time-range.ts'

export class PositionBand extends ChartPrimitive {
  #steps: Steps = { from: 0, intervalMs: 1, count: 0 }
  #held: readonly HeldStep[] = []

  constructor(range: TimeRange) {
    super(range, 'bottom')
  }

  show(steps: Steps, held: readonly HeldStep[]): void {
    this.#steps = steps
    this.#held = held
  }

  /** The lowest and the highest that is held in the bars that are shown. */
  autoscaleInfo(start: number, end: number): { priceRange: { minValue: number; maxValue: number } } | null {
    const shown = this.#held.slice(Math.max(0, Math.floor(start)), Math.ceil(end) + 1)
    if (shown.length === 0) return null
    const minValue = shown.reduce((least, { low }) => Math.min(least, low), Infinity)
    const maxValue = shown.reduce((most, { high }) => Math.max(most, high), -Infinity)
    return { priceRange: { minValue, maxValue } }
  }

  protected override draw(context: CanvasRenderingContext2D, paneWidth: number): void {
    const yOf = this.priceY()
    const { from, to } = this.range.span
    const { from: first, intervalMs } = this.#steps
    const scale = paneWidth / (to - from)
    context.fillStyle = colourOf('--quiet')
    context.globalAlpha = 0.35
    this.#held.forEach(({ low, high }, step) => {
      if (low === high) return
      const left = (first + step * intervalMs - from) * scale
      const width = Math.max(1, intervalMs * scale)
      if (left + width < 0 || left > paneWidth) return
      context.fillRect(left, yOf(high), width, Math.max(1, yOf(low) - yOf(high)))
    })
    context.globalAlpha = 1
  }
}
