/**
 * An order creation of ours, from before it leaves until it is known what became of it, in the form in which it is kept
 * on disk.
 */
import type { PersistedIntent } from '../../../store/state/live/persisted-intent.ts'

export type Intent = PersistedIntent

export type IntentState = Intent['state']
