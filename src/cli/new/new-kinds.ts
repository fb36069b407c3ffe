/** The kinds of files that `papertape new` writes. */
export const NEW_KINDS = ['strategy'] as const
