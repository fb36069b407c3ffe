/**
 * What the build leaves, and what is said where it left nothing.
 */
import { describe, expect, it } from 'vitest'
import { InputError } from '../../../src/domain/errors.ts'
import { builtFile } from '../../../src/report/page/built-file.ts'

describe('a file of the build', () => {
  it('is a script without imports, and a style', () => {
    expect(builtFile('emulator.js')).not.toMatch(/^import /m)
    expect(builtFile('window.css')).toContain('--accent')
  })

  it('that is not there says how it is made', () => {
    expect(() => builtFile('nothing.js')).toThrow(InputError)
    expect(() => builtFile('nothing.js')).toThrow('dist/pages/nothing.js: is not there: npm run build makes it')
  })
})
