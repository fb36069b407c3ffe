/** Resolves an import in a user's file: a module of papertape, of Node, a package, or another file. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type * as Jiti from 'jiti'
import type { ModuleForm } from './compiled-code.ts'

export type ModuleTarget =
  | { readonly kind: 'builtin'; readonly name: string }
  | { readonly kind: 'package'; readonly path: string; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }

const require = createRequire(import.meta.url)
const EXTENSIONS = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.json']

/**
 * @param parent  path of the importing file
 * @throws {Error} if it does not exist
 */
export function resolveModule(specifier: string, parent: string, form: ModuleForm): ModuleTarget {
  if (isBuiltin(specifier)) return { kind: 'builtin', name: specifier.replace(/^node:/, '') }
  const local = localPath(specifier, parent)
  if (local !== undefined) {
    const path = existingFile(local)
    if (path !== undefined) return { kind: 'file', path }
    throw new Error(`Cannot find module '${specifier}'`)
  }
  const path = packagePath(specifier, parent, form)
  const name = path.includes(`${sep}node_modules${sep}`) ? packageName(path) : undefined
  return name === undefined ? { kind: 'file', path } : { kind: 'package', path, name }
}

/** Undefined for a package name. */
function localPath(specifier: string, parent: string): string | undefined {
  if (specifier.startsWith('file:')) return fileURLToPath(specifier)
  if (isAbsolute(specifier)) return specifier
  return /^\.{1,2}(?:$|[\\/])/.test(specifier) ? resolve(dirname(parent), specifier) : undefined
}

/** Tries the path itself; with an extension; TypeScript in place of its compiled name; the index of a folder. */
function existingFile(path: string): string | undefined {
  const typed = path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2')
  const withEndings = (base: string): string[] => EXTENSIONS.map((extension) => `${base}${extension}`)
  return [path, ...withEndings(path), typed, ...withEndings(join(path, 'index'))].find(isFile)
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

function packagePath(specifier: string, parent: string, form: ModuleForm): string {
  if (form === 'require') return firstLineOnly(() => createRequire(parent).resolve(specifier))
  const { createJiti } = require('jiti') as typeof Jiti
  const jiti = createJiti(parent, { fsCache: false, moduleCache: false, alias: {}, tsconfigPaths: false })
  const url = firstLineOnly(() => jiti.esmResolve(specifier, pathToFileURL(parent).href))
  return url.startsWith('file:') ? fileURLToPath(url) : url
}

/** Node lists the importing files on further lines. */
function firstLineOnly(resolveIt: () => string): string {
  try {
    return resolveIt()
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : '').split('\n')
    throw new Error(line, { cause: error })
  }
}

/** `name@version` of the nearest named package; undefined for a file outside packages. */
function packageName(path: string): string | undefined {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json')
    if (!existsSync(file)) continue
    const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown; version?: unknown }
    if (typeof name === 'string') return typeof version === 'string' ? `${name}@${version}` : name
  }
  return undefined
}
