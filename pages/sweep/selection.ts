/**
 * The points that a reader looks at: those that a condition and ranges let through, and one that is chosen. All views
 * follow it.
 *
 * Invariant: the condition is of the language of `--where`, and may name figures as well as parameters; a point without
 * a figure that it names is not kept.
 */
import { conditionOf, type Condition } from '../../src/sweep/condition.ts'
import type { SweepPageData } from '../../src/report/page/sweep/sweep-page-data.ts'

/** From one value to another, both within: of a parameter indices of its values, of a figure numbers. */
export interface Range {
  readonly low: number
  readonly high: number
}

export class Selection {
  readonly data: SweepPageData
  readonly #ranges = new Map<string, Range>()
  readonly #listeners: (() => void)[] = []
  #condition: Condition | undefined
  #selected: readonly number[]
  #chosen: number | undefined

  constructor(data: SweepPageData) {
    this.data = data
    this.#selected = Array.from({ length: data.points }, (_, point) => point)
  }

  /** Indices of points, ascending. */
  get selected(): readonly number[] {
    return this.#selected
  }

  get ranges(): ReadonlyMap<string, Range> {
    return this.#ranges
  }

  get chosen(): number | undefined {
    return this.#chosen
  }

  /** Calls `report` at once and on every change. */
  follow(report: () => void): void {
    this.#listeners.push(report)
    report()
  }

  /**
   * @param text  empty for all points
   * @throws what is wrong with it, in words
   */
  filter(text: string): void {
    const { params, figures } = this.data
    const names = [...params, ...figures].map(({ name }) => name)
    this.#condition = text.trim() === '' ? undefined : conditionOf('filter', text, names)
    this.#sieve()
  }

  /** @param ranges  by name; undefined takes one away */
  narrow(ranges: Readonly<Record<string, Range | undefined>>): void {
    for (const [name, range] of Object.entries(ranges)) {
      if (range === undefined) this.#ranges.delete(name)
      else this.#ranges.set(name, range)
    }
    this.#sieve()
  }

  choose(point: number | undefined): void {
    if (this.#chosen === point) return
    this.#chosen = point
    this.#report()
  }

  /** The points that would be kept without the ranges of some names. */
  selectedExcept(names: readonly string[]): readonly number[] {
    if (!names.some((name) => this.#ranges.has(name))) return this.#selected
    return this.#sieved(new Map([...this.#ranges].filter(([name]) => !names.includes(name))))
  }

  #sieve(): void {
    this.#selected = this.#sieved(this.#ranges)
    this.#report()
  }

  #sieved(ranges: ReadonlyMap<string, Range>): readonly number[] {
    const selected: number[] = []
    for (let point = 0; point < this.data.points; point += 1) if (this.#isSelected(point, ranges)) selected.push(point)
    return selected
  }

  #isSelected(point: number, ranges: ReadonlyMap<string, Range>): boolean {
    const { params, figures } = this.data
    for (const { name, column } of [...params, ...figures]) {
      const range = ranges.get(name)
      const value = column[point] ?? null
      if (range !== undefined && (value === null || value < range.low || value > range.high)) return false
    }
    if (this.#condition === undefined) return true
    const texts: Record<string, string> = {}
    for (const { name, values, column } of params) texts[name] = values[column[point] ?? -1] ?? ''
    for (const { name, column } of figures) texts[name] = plainText(column[point] ?? null)
    try {
      return this.#condition(texts)
    } catch {
      // It asks for a number that this point does not have.
      return false
    }
  }

  #report(): void {
    for (const report of this.#listeners) report()
  }
}

const plainText = (value: number | null): string => (value === null ? '' : String(value).replace('e+', 'e'))
