import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { withoutPrepare, withPrepare } from '../../scripts/packed-manifest.mjs'

const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
/** Scripts that npm runs, or warns about, when a package is installed. */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare']

describe('package.json as it is packed', () => {
  it('has no script that npm would warn about', () => {
    const { scripts } = JSON.parse(withoutPrepare(manifest)) as { scripts: Record<string, string> }
    expect(Object.keys(scripts).filter((name) => INSTALL_SCRIPTS.includes(name))).toEqual([])
  })

  it('is restored after the pack, also after one that was interrupted', () => {
    expect(withPrepare(withoutPrepare(manifest))).toBe(manifest)
    expect(withPrepare(manifest)).toBe(manifest)
  })
})
