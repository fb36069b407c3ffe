/**
 * Saves the compiled code of this thread for the next start. A no-op here; src/cli/program-loader.ts replaces it in the
 * bundle.
 */
export const saveCode = (): void => undefined
