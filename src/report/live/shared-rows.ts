/**
 * Lists that share the rows of a screen: each gets a row before one gets two, and says how many of its items have no room.
 */

export interface ListPart<Line> {
  readonly title: readonly Line[]
  readonly items: readonly Line[]
  /** Stands in the place of the items without room. */
  readonly more: (count: number) => Line
  /** It keeps its title, and all of its items as long as there is room, before the others get any. */
  readonly isFirst?: boolean
}

/** @returns at most `rows` lines; lists without items are left out, and so are the last ones when there is no room for a title and an item */
export function shareRows<Line>(parts: readonly ListPart<Line>[], rows: number): readonly Line[] {
  const shown: { readonly part: ListPart<Line>; count: number }[] = []
  let left = rows
  for (const part of parts) {
    if (part.items.length === 0) continue
    const least = part.isFirst === true ? part.items.length : 1
    const count = Math.min(least, left - part.title.length)
    if (count < 1) break
    shown.push({ part, count })
    left -= part.title.length + count
  }
  for (let isGiven = true; left > 0 && isGiven;) {
    isGiven = false
    for (const list of shown) {
      if (left === 0 || list.count === list.part.items.length) continue
      list.count += 1
      left -= 1
      isGiven = true
    }
  }
  return shown.flatMap(({ part, count }) => [...part.title, ...itemsIn(part, count)])
}

function itemsIn<Line>({ items, more }: ListPart<Line>, count: number): readonly Line[] {
  return count >= items.length ? items : [...items.slice(0, count - 1), more(items.length - count + 1)]
}
