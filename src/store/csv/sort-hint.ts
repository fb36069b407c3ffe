/**
 * Behind an error of order: who can mend it.
 */
import { setting, worded } from '../../domain/setting-name.ts'

export const SORT_HINT = worded`; give ${setting('sort')} to have the rows put in order`
