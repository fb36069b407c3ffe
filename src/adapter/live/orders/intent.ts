/** An order creation of ours, from before it is sent until its outcome is known, as persisted on disk. */
import type { PersistedIntent } from '../../../store/state/live/persisted-intent.ts'

export type Intent = PersistedIntent

export type IntentState = Intent['state']
