/** A bound for maps and sets that would grow for as long as a process runs. */

/** Removes the entry that was added first when there are more than `max`. */
export function dropOldest(entries: Map<string, unknown> | Set<string>, max: number): void {
  if (entries.size <= max) return
  const [oldest] = entries.keys()
  if (oldest !== undefined) entries.delete(oldest)
}
