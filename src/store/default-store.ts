/**
 * The store where none is named, in the working directory.
 */
export const DEFAULT_STORE = 'papertape.db'
