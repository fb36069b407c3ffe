/**
 * An order creation of ours, from before it leaves until it is known what became of it, in the form in which it is kept on disk.
 */
import type { KeptIntent } from '../../../store/state/live/kept-intent.ts'

export type Intent = KeptIntent

export type IntentState = Intent['state']
