/** Remedy appended to an error about the order of rows. */
import { setting, worded } from '../../domain/setting-name.ts'

export const SORT_HINT = worded`; pass ${setting('sort')} to sort the rows`
