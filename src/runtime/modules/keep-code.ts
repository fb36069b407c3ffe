/**
 * Keeps the compiled code of this thread for the next start. Here it does nothing: in the bundle,
 * src/cli/program-loader.ts gives it its meaning.
 */
export const keepCode = (): void => undefined
