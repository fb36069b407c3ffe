/** The ways in which a check ends otherwise than by returning, which says that its rule is kept. */

/** Thrown by a check: the service does not keep the rule. The message is what was seen. */
export class Broken extends Error {
  override readonly name = 'Broken'
}

/** Thrown by a check: whether the rule is kept cannot be seen. The message is why. */
export class NotShown extends Error {
  override readonly name = 'NotShown'
}

/** @throws {Broken} unless `condition` holds */
export function requireRule(condition: boolean, seen: () => string): void {
  if (!condition) throw new Broken(seen())
}
