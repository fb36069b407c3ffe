import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { API_KEY_VARIABLE, apiKey, givenApiKey } from '../../src/cli/api-key.ts'
import { InputError } from '../../src/domain/errors.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'papertape-key-'))
  // A worker cannot change its working directory.
  vi.spyOn(process, 'cwd').mockReturnValue(folder)
  vi.stubEnv(API_KEY_VARIABLE, undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

const writeEnv = (text: string): void => {
  writeFileSync(join(folder, '.env'), text)
}

describe('the API key', () => {
  it('is that of the environment', () => {
    vi.stubEnv(API_KEY_VARIABLE, 'pt_environment')
    expect([givenApiKey(), apiKey()]).toEqual(['pt_environment', 'pt_environment'])
  })

  it('is that of .env where the environment has none', () => {
    writeEnv(`# mine\n${API_KEY_VARIABLE}="pt_file"\r\n`)
    expect(apiKey()).toBe('pt_file')
  })

  it.each([
    ['a byte order mark', Buffer.from(`\uFEFF${API_KEY_VARIABLE}=pt_file\r\n`)],
    ['UTF-16, as PowerShell writes it', Buffer.from(`\uFEFF${API_KEY_VARIABLE}=pt_file\r\n`, 'utf16le')],
  ])('is that of a .env with %s', (_name, bytes) => {
    writeFileSync(join(folder, '.env'), bytes)
    expect(apiKey()).toBe('pt_file')
  })

  it('is that of the environment where both have one', () => {
    writeEnv(`${API_KEY_VARIABLE}=pt_file\n`)
    vi.stubEnv(API_KEY_VARIABLE, 'pt_environment')
    expect(apiKey()).toBe('pt_environment')
  })

  it.each(['', ' ', '\n'])('is missing when it is %j', (text) => {
    vi.stubEnv(API_KEY_VARIABLE, text)
    expect(givenApiKey()).toBeUndefined()
    expect(apiKey).toThrow(InputError)
    expect(apiKey).toThrow(/^PAPERTAPE_API_KEY: expected the API key/)
  })

  it('is missing where nothing gives one, and a .env without it is none', () => {
    expect(apiKey).toThrow(/^PAPERTAPE_API_KEY: /)
    writeEnv('OTHER=1\n')
    expect(apiKey).toThrow(/^PAPERTAPE_API_KEY: /)
  })

  it.each(['pt_a b', 'pt_a\nx-admin: 1', 'pt_é', 'p'.repeat(4_097)])(
    'is refused unseen when no header carries it',
    (text) => {
      vi.stubEnv(API_KEY_VARIABLE, text)
      expect(givenApiKey).toThrow(/^PAPERTAPE_API_KEY: the key has characters/)
      try {
        givenApiKey()
      } catch (error) {
        expect(String(error)).not.toContain(text.slice(0, 4))
      }
    },
  )

  it('a .env that is no file is named', () => {
    mkdirSync(join(folder, '.env'))
    expect(givenApiKey).toThrow(/^\.env: cannot be read/)
  })
})
