/** A bound for maps and sets that would grow for as long as a process runs. */

/** Removes the entry that was added first when there are more than `max`. */
export function dropOldest(kept: Map<string, unknown> | Set<string>, max: number): void {
  if (kept.size <= max) return
  const [oldest] = kept.keys()
  if (oldest !== undefined) kept.delete(oldest)
}
