/**
 * What `npm pack` makes of the project, in the folder of a user, with its dependencies and no others.
 *
 * Nothing is asked of a registry: the dependencies are links to those of the project. It packs what is built: `npm
 * test` builds first.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * @param folder  of the user
 * @param beside  packages that the user has installed as well
 * @returns the folder of the package
 */
export function installPackage(folder: string, beside: readonly string[] = []): string {
  const modules = join(folder, 'node_modules')
  const installed = join(modules, 'papertape')
  mkdirSync(installed, { recursive: true })
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', modules]
  execFileSync('npm', pack, { cwd: PROJECT, stdio: 'pipe', shell: process.platform === 'win32' })
  const [packed = ''] = readdirSync(modules).filter((name) => name.endsWith('.tgz'))
  execFileSync('tar', ['-xzf', join(modules, packed), '-C', installed, '--strip-components=1'])
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  )
  for (const name of [...Object.keys(dependencies), ...beside]) {
    const link = join(modules, name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(PROJECT, 'node_modules', name), link, 'dir')
  }
  return installed
}
