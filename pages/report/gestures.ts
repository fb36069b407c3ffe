/**
 * The ways to move about in time on a chart: drag or arrow keys to the side, wheel, pinch or + and - to zoom, double
 * click or 0 for all.
 *
 * Invariant: a page can always be scrolled over a chart: by touch up and down, and by a wheel that has nothing left to
 * show.
 */
import type { TimeRange } from './time-range.ts'

/** Range in which times are drawn in an element, in pixels from its left. */
export interface Plotted {
  readonly left: number
  readonly width: number
}

const STEP = 0.2
const ZOOM = 1.5

const KEYS: Readonly<Record<string, (range: TimeRange) => void>> = {
  ArrowLeft: (range) => range.move(-STEP),
  ArrowRight: (range) => range.move(STEP),
  '+': (range) => range.zoom(1 / ZOOM),
  '=': (range) => range.zoom(1 / ZOOM),
  '-': (range) => range.zoom(ZOOM),
  '0': (range) => range.showAll(),
}

export function addGestures(element: HTMLElement, range: TimeRange, plotted: () => Plotted): void {
  const shareAt = (clientX: number): number => {
    const { left, width } = plotted()
    return Math.min(1, Math.max(0, (clientX - element.getBoundingClientRect().left - left) / Math.max(1, width)))
  }
  element.classList.add('movable')
  element.addEventListener('keydown', (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : KEYS[event.key]
    if (act === undefined) return
    event.preventDefault()
    act(range)
  })
  element.addEventListener('dblclick', () => range.showAll())
  element.addEventListener(
    'wheel',
    (event) => {
      const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY)
      if (!isSideways && event.deltaY > 0 && range.isWhole) return
      event.preventDefault()
      if (isSideways) range.move(event.deltaX / Math.max(1, plotted().width))
      else range.zoom(Math.exp(Math.min(120, Math.max(-120, event.deltaY)) * 0.002), shareAt(event.clientX))
    },
    { passive: false },
  )
  addPointers(element, range, plotted, shareAt)
}

function addPointers(
  element: HTMLElement,
  range: TimeRange,
  plotted: () => Plotted,
  shareAt: (clientX: number) => number,
): void {
  const fingers = new Map<number, number>()
  const end = (event: PointerEvent): void => {
    fingers.delete(event.pointerId)
    if (fingers.size === 0) delete element.dataset.dragged
  }
  element.addEventListener('pointerdown', (event) => {
    if (event.button === 0) fingers.set(event.pointerId, event.clientX)
  })
  // On the window: a drag goes on beyond the edge of the chart.
  addEventListener('pointermove', (event) => {
    const before = fingers.get(event.pointerId)
    if (before === undefined) return
    if (event.buttons === 0) {
      end(event)
      return
    }
    const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, x]) => x)
    const by = event.clientX - before
    if (other === undefined && element.dataset.dragged === undefined && Math.abs(by) < 4) return
    fingers.set(event.pointerId, event.clientX)
    element.dataset.dragged = ''
    if (other === undefined) range.move(-by / Math.max(1, plotted().width))
    else range.zoom(spread(other, before) / spread(other, event.clientX), shareAt((other + event.clientX) / 2))
  })
  for (const over of ['pointerup', 'pointercancel'] as const) addEventListener(over, end)
}

const spread = (one: number, other: number): number => Math.max(10, Math.abs(one - other))
