import { describe, expect, it } from 'vitest'
import { checkImportedNames } from '../../../src/runtime/modules/user-code.ts'

const MODULES: Readonly<Record<string, object>> = { papertape: { sma: 1, defineStrategy: 1 }, rxjs: { map: 1 } }
const check = (code: string): void => {
  checkImportedNames(code, (specifier) => MODULES[specifier])
}
const IMPORTS =
  'var _papertape = await jitiImport("papertape");\nvar rx = _interopRequireWildcard(await jitiImport("rxjs"));\n'

describe('a name that a file imports', () => {
  it.each([
    ['(0, _papertape.defineStrateg)({})', "'papertape' has no 'defineStrateg'; did you mean 'defineStrategy'?"],
    ['rx.mpa()', "'rxjs' has no 'mpa'; did you mean 'map'?"],
    ['_papertape.nothingLikeIt', "'papertape' has no 'nothingLikeIt'"],
  ])('and that is not there is reported with the nearest: %s', (code, message) => {
    expect(() => check(IMPORTS + code)).toThrow(message)
  })

  it.each([
    '(0, _papertape.sma)(10)',
    'rx.map(x => x.foo)',
    'a._papertape.foo',
    'my_papertape.foo',
    '_papertape.default',
    'var _mine = await jitiImport("./mine.ts"); _mine.anything',
  ])('is nothing else: %s', (code) => {
    expect(() => check(IMPORTS + code)).not.toThrow()
  })
})
