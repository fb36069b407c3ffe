/**
 * A rule of the specification as something that can be asked of a service that runs.
 */
import type { WatchedService } from './watched-service.ts'

/** Nothing but the service, a key that reads, or orders. */
export type Needs = 'public' | 'key' | 'trade'

export interface Rule {
  /** Short and lasting, such as `trades-newest-first`. */
  readonly id: string
  /** Of the specification. */
  readonly section: number
  readonly title: string
  readonly needs: Needs
  /**
   * Returns when the rule was kept.
   *
   * @throws {Broken} with what was seen
   * @throws {NotShown} with why it could not be seen
   */
  readonly check: (service: WatchedService) => void | Promise<void>
}

/** Thrown by a check: the service does not keep the rule. The message is what was seen. */
export class Broken extends Error {
  override readonly name = 'Broken'
}

/** Thrown by a check: whether the rule is kept cannot be seen. The message is why. */
export class NotShown extends Error {
  override readonly name = 'NotShown'
}

/** @throws {Broken} unless `condition` holds */
export function kept(condition: boolean, seen: () => string): void {
  if (!condition) throw new Broken(seen())
}

type RuleMaker = (id: string, section: number, title: string, check: Rule['check']) => Rule

/** Makes rules that need the same. */
export const ruleThatNeeds =
  (needs: Needs): RuleMaker =>
  (id, section, title, check) => ({ id, section, title, needs, check })

/** A rule that no asking shows, and why. */
export const neverShown = (id: string, section: number, title: string, why: string): Rule => ({
  id,
  section,
  title,
  needs: 'public',
  check: () => {
    throw new NotShown(why)
  },
})
