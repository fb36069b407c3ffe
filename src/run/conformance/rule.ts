/**
 * A rule of the specification as something that can be asked of a service that runs.
 */
import { NotShown } from './verdict.ts'
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
