/**
 * The intents of a strategy one by one, whatever it emits together.
 */
import { concatMap, type Observable } from 'rxjs'
import type { Intent } from '../../../src/strategy/intent.ts'
import type { IntentStream } from '../../../src/strategy/strategy.ts'

export const eachIntent = (output: IntentStream): Observable<Intent> =>
  output.pipe(
    concatMap((emitted) => {
      const all = Array.isArray(emitted)
        ? (emitted as readonly (Intent | undefined)[])
        : [emitted as Intent | undefined]
      return all.filter((intent) => intent !== undefined)
    }),
  )
