/**
 * Behind an error of order: who can mend it.
 */
import { worded } from '../../domain/setting-name.ts'

export const SORT_HINT = worded`; \`papertape import --sort\` puts rows in order`
