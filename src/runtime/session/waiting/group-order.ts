/**
 * An order of the exchange that belongs to a group, while it may still be filled.
 */

export class GroupOrder {
  readonly role: 'entry' | 'exit'
  /** Id of the group, or of the waiting order that became it. */
  readonly by: string
  /** As the exchange named it; undefined while that is not known. */
  id: string | undefined
  /** It is to be cancelled as soon as it can be. */
  isUnwanted = false
  isCancelAsked = false

  constructor(role: GroupOrder['role'], by: string) {
    this.role = role
    this.by = by
  }
}
