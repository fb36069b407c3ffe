import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { API_KEY_VARIABLE, apiKey, givenApiKey } from '../../src/cli/api-key.ts'
import { withIo } from '../../src/cli/cli-io.ts'
import { processIo } from '../../src/cli/process-io.ts'
import { InputError } from '../../src/domain/errors.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'papertape-key-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

/** What is asked, by a command line in the folder. @param key  in the environment */
const asked = <Answer>(ask: () => Answer, key?: string): Promise<Answer> => {
  const own = { ...processIo(), cwd: folder, env: key === undefined ? {} : { [API_KEY_VARIABLE]: key } }
  return withIo([], own, () => Promise.resolve().then(ask))
}

const writeEnv = (text: string): void => {
  writeFileSync(join(folder, '.env'), text)
}

describe('the API key', () => {
  it('is that of the environment', async () => {
    expect(await asked(() => [givenApiKey(), apiKey()], 'pt_environment')).toEqual(['pt_environment', 'pt_environment'])
  })

  it('is that of .env where the environment has none', async () => {
    writeEnv(`# mine\n${API_KEY_VARIABLE}="pt_file"\r\n`)
    expect(await asked(apiKey)).toBe('pt_file')
  })

  it.each([
    ['a byte order mark', Buffer.from(`\uFEFF${API_KEY_VARIABLE}=pt_file\r\n`)],
    ['UTF-16, as PowerShell writes it', Buffer.from(`\uFEFF${API_KEY_VARIABLE}=pt_file\r\n`, 'utf16le')],
  ])('is that of a .env with %s', async (_name, bytes) => {
    writeFileSync(join(folder, '.env'), bytes)
    expect(await asked(apiKey)).toBe('pt_file')
  })

  it('is that of the environment where both have one', async () => {
    writeEnv(`${API_KEY_VARIABLE}=pt_file\n`)
    expect(await asked(apiKey, 'pt_environment')).toBe('pt_environment')
  })

  it.each(['', ' ', '\n'])('is missing when it is %j', async (text) => {
    expect(await asked(givenApiKey, text)).toBeUndefined()
    await expect(asked(apiKey, text)).rejects.toThrow(InputError)
    await expect(asked(apiKey, text)).rejects.toThrow(
      /^PAPERTAPE_API_KEY: missing API key: set it in the environment, or write PAPERTAPE_API_KEY=\.\.\. into \.env/,
    )
  })

  it('is missing where nothing gives one, and a .env without it is none', async () => {
    await expect(asked(apiKey)).rejects.toThrow(/^PAPERTAPE_API_KEY: /)
    writeEnv('OTHER=1\n')
    await expect(asked(apiKey)).rejects.toThrow(/^PAPERTAPE_API_KEY: /)
  })

  it.each(['pt_a b', 'pt_a\nx-admin: 1', 'pt_é', 'p'.repeat(4_097)])(
    'is refused unseen when no header carries it',
    async (text) => {
      const error: unknown = await asked(givenApiKey, text).catch((thrown: unknown) => thrown)
      expect(String(error)).toMatch(
        /PAPERTAPE_API_KEY: the API key is too long or contains characters that an HTTP header cannot carry$/,
      )
      expect(String(error)).not.toContain(text.slice(0, 4))
    },
  )

  it('a .env that is no file is named', async () => {
    mkdirSync(join(folder, '.env'))
    await expect(asked(givenApiKey)).rejects.toThrow(/^\.env: cannot be read/)
  })
})
