/**
 * Behind an error of order: who can mend it.
 */
import { setting, worded } from '../../domain/setting-name.ts'

export const SORT_HINT = worded`; pass ${setting('sort')} to sort the rows`
