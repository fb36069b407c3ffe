/**
 * E-mails of users, as the `email` format of JSON Schema and browsers have them: no signs are refused that a mailbox
 * may have.
 */
import { z } from 'zod'

export const emailSchema = z.email({ pattern: z.regexes.html5Email }).max(254)
