/** A rule of the specification as an executable test. */
import { NotShown } from './verdict.ts'
import type { WatchedService } from './watched-service.ts'

/** Requirement of a rule: only the service, a key with read access, or permission to place orders. */
export type Needs = 'public' | 'key' | 'trade'

export interface Rule {
  /** Short stable id, such as `trades-newest-first`. */
  readonly id: string
  /** Section of the specification. */
  readonly section: number
  readonly title: string
  readonly needs: Needs
  /**
   * Returns if the rule is kept.
   *
   * @throws {Broken} with the evidence
   * @throws {NotShown} with the reason
   */
  readonly check: (service: WatchedService) => void | Promise<void>
}

type RuleMaker = (id: string, section: number, title: string, check: Rule['check']) => Rule

/** Creates rules with the same requirement. */
export const ruleThatNeeds =
  (needs: Needs): RuleMaker =>
  (id, section, title, check) => ({ id, section, title, needs, check })

/** A rule that no test can show, and why. */
export const neverShown = (id: string, section: number, title: string, why: string): Rule => ({
  id,
  section,
  title,
  needs: 'public',
  check: () => {
    throw new NotShown(why)
  },
})
