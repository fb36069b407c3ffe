/** The installed package: its location, its origin, and the versions of its dependencies. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const ranges = z.record(z.string(), z.string())
const packageJson = z.object({ version: z.string(), dependencies: ranges, devDependencies: ranges })
const lockFile = z.object({ packages: z.record(z.string(), z.object({ resolved: z.string().optional() })) })

const ROOT = fileURLToPath(new URL('../../../', import.meta.url)).replace(/[\\/]$/, '')

export type OwnPackage = z.infer<typeof packageJson>

export const ownPackage = (): OwnPackage =>
  packageJson.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')))

/**
 * The file or folder from which papertape was installed, absolute; undefined if it came from a registry.
 *
 * @param root  of the package
 */
export function installedFrom(root = ROOT): string | undefined {
  const modules = dirname(root)
  // A clone, or a linked package.
  if (basename(modules) !== 'node_modules') return root
  try {
    const lock = lockFile.parse(JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')))
    const [, path] = /^file:(.+)$/.exec(lock.packages['node_modules/papertape']?.resolved ?? '') ?? []
    const file = path === undefined ? undefined : resolve(dirname(modules), path)
    return file !== undefined && existsSync(file) ? file : undefined
  } catch {
    // Other package managers write none.
    return undefined
  }
}
