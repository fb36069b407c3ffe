/**
 * Names of strategies that are files: lower-case words with hyphens, as the ready ones have them.
 */
import { InputError } from '../../domain/errors.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { readyStrategies } from '../../runtime/strategies/ready-strategies.ts'

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/
const MOST_CHARACTERS = 60

/** @returns the name @throws {InputError} when it is none, with the nearest that is one */
export function strategyName(where: string, name: string): string {
  if (!NAME.test(name) || name.length > MOST_CHARACTERS) {
    const meant = hyphenated(name)
    const hint = NAME.test(meant) && meant !== name ? `; did you mean '${meant}'?` : ''
    const rule = `lower-case letters and digits in words with single hyphens, at most ${MOST_CHARACTERS} characters`
    throw new InputError(where, `expected a name such as my-strategy (${rule}), got '${escapedExcerpt(name)}'${hint}`)
  }
  if (readyStrategies().includes(name))
    throw new InputError(where, `'${name}' is the name of a ready strategy: choose another name`)
  return name
}

/** `MyStrategy.ts` and `my strategy` are `my-strategy`. */
const hyphenated = (name: string): string =>
  name
    .replace(/^.*[\\/]/, '')
    .replace(/\.[cm]?[jt]s$/, '')
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[-0-9]+|-+$/g, '')
    .slice(0, MOST_CHARACTERS)
    .replace(/-$/, '')
