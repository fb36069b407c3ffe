/**
 * Round trips on the candles: a line from the average entry to the average exit, in the colour of its profit.
 *
 * Known limit: a trip of several fills is one line, from its first to its last.
 */
import type { PageTable } from '../../src/report/page/page-data.ts'
import { colourOf } from '../parts/palette.ts'
import { ChartPrimitive } from './chart-primitive.ts'
import { type DrawnTrip, thinnedTrips, type Trip } from './thinned-trips.ts'
import type { TimeRange } from './time-range.ts'

const REACH = 6
const DOT = 2.5

/** Round trips of a market. */
export function tripsOf({ columns, rows }: PageTable, symbol: string): readonly Trip[] {
  const at = (key: string): number => columns.findIndex((column) => column.key === key)
  const [entryAt, exitAt, profitAt] = [at('entry'), at('exit'), at('profit')]
  return rows.flatMap((row, index) => {
    const [entry = null, exit = null] = [row.order[entryAt], row.order[exitAt]]
    if (row.at?.symbol !== symbol || entry === null || exit === null) return []
    const { from, to } = row.at
    return [{ row: index, from, to, entry, exit, profit: row.order[profitAt] ?? 0 }]
  })
}

/** More trips than this are thinned, and have no dots at their ends. */
const MAX_DRAWN = 2_000
export class TripLines extends ChartPrimitive {
  readonly #trips: readonly Trip[]
  #drawn: readonly DrawnTrip[] = []
  #picked: number | undefined

  constructor(trips: readonly Trip[], range: TimeRange) {
    super(range, 'normal')
    this.#trips = trips
  }

  /** Draws the trip of a row thicker; undefined for none. */
  pick(row: number | undefined): void {
    this.#picked = row
    this.drawAgain()
  }

  /** The trip whose line is nearest to a place, in pixels of the pane. */
  tripAt(x: number, y: number): Trip | undefined {
    let [best, least]: [Trip | undefined, number] = [undefined, REACH]
    for (const each of this.#drawn) {
      const distance = distanceTo(each, x, y)
      if (distance < least) [best, least] = [each.trip, distance]
    }
    return best
  }

  protected override draw(context: CanvasRenderingContext2D, width: number): void {
    const { from, to } = this.range.span
    const [scale, yOf] = [width / (to - from), this.priceY()]
    const inside: DrawnTrip[] = []
    for (const trip of this.#trips) {
      if (trip.to < from || trip.from > to) continue
      const [x1, x2] = [(trip.from - from) * scale, (trip.to - from) * scale]
      inside.push({ trip, x1, x2, y1: yOf(trip.entry), y2: yOf(trip.exit) })
    }
    this.#drawn = inside.length > MAX_DRAWN ? thinnedTrips(inside, this.#picked) : inside
    const dot = this.#drawn === inside ? DOT : 0
    for (const [isLoss, colour] of [
      [false, colourOf('--up')],
      [true, colourOf('--down')],
    ] as const) {
      context.strokeStyle = context.fillStyle = colour
      const drawn = this.#drawn.filter(({ trip }) => trip.profit < 0 === isLoss)
      stroke(
        context,
        drawn.filter(({ trip }) => trip.row !== this.#picked),
        isLoss,
        1.5,
        dot,
      )
      stroke(
        context,
        drawn.filter(({ trip }) => trip.row === this.#picked),
        isLoss,
        3.5,
        DOT,
      )
    }
    context.setLineDash([])
  }
}

/** A loss is dashed: its colour is not all that says so. */
function stroke(
  context: CanvasRenderingContext2D,
  drawn: readonly DrawnTrip[],
  isLoss: boolean,
  width: number,
  dot: number,
): void {
  context.setLineDash(isLoss ? [4, 3] : [])
  context.lineWidth = width
  context.beginPath()
  for (const { x1, y1, x2, y2 } of drawn) {
    context.moveTo(x1, y1)
    context.lineTo(x2, y2)
  }
  context.stroke()
  if (dot === 0) return
  context.beginPath()
  for (const { x1, y1, x2, y2 } of drawn) {
    for (const [x, y] of [
      [x1, y1],
      [x2, y2],
    ] as const) {
      context.moveTo(x + dot, y)
      context.arc(x, y, dot, 0, 2 * Math.PI)
    }
  }
  context.fill()
}

function distanceTo({ x1, y1, x2, y2 }: DrawnTrip, x: number, y: number): number {
  const [dx, dy] = [x2 - x1, y2 - y1]
  const length = dx * dx + dy * dy
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / length))
  return Math.hypot(x1 + share * dx - x, y1 + share * dy - y)
}
