/**
 * Name of a package, made of the name of its folder, by the rules of npm.
 */
const MOST_CHARACTERS = 100
const FALLBACK = 'my-bot'

/** npm takes neither for a package; the others are what the project itself depends on. */
const TAKEN = ['node_modules', 'favicon.ico', 'papertape', 'rxjs', 'zod', 'vitest', 'typescript']

/** `Mein Bot (2)` is `mein-bot-2`; one of which nothing is left is `my-bot`. */
export function packageName(folder: string): string {
  const name = folder
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[._-]+/g, '')
    .slice(0, MOST_CHARACTERS)
    .replaceAll(/[._-]+$/g, '')
  if (name === '') return FALLBACK
  return TAKEN.includes(name) ? `${name}-bot` : name
}
