/**
 * Checks a package-lock.json for what only shows on another machine.
 *
 * - An entry that says where it was downloaded from: the lock would then work with that registry alone.
 * - A dependency that is asked for and not there. npm leaves an optional package (a binary for some platform) out of the lock
 *   when the registry that it asked does not have it, and `npm ci` fails on the next machine with EUSAGE "Missing".
 *
 * Usage: node scripts/check-lock.mjs [FILE]. Prints a line for every fault; exit code 1 when there is one.
 */
import { readFileSync } from 'node:fs'

/**
 * @typedef {{ version?: string, resolved?: string, dependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string> }} LockEntry  one package; the fields that are read here
 * @typedef {Record<string, LockEntry>} LockedPackages  by folder, `node_modules/a/node_modules/b`; '' is the project
 * itself
 */

/**
 * The entry that `name` resolves to for the package in `folder`: its own node_modules, then those further out, as Node
 * looks.
 *
 * @param {LockedPackages} packages
 * @param {string} folder
 * @param {string} name
 * @returns {LockEntry | undefined}
 */
function resolve(packages, folder, name) {
  const found = packages[folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`]
  if (found !== undefined || folder === '') return found
  return resolve(packages, folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/'))), name)
}

const EXACT_VERSION = /^\d+\.\d+\.\d+(?:[-+].*)?$/

/** @param {LockedPackages} packages */
function missingDependencies(packages) {
  return Object.entries(packages).flatMap(([folder, { dependencies, optionalDependencies }]) =>
    Object.entries({ ...dependencies, ...optionalDependencies }).flatMap(([name, range]) => {
      const found = resolve(packages, folder, name)
      const asker = folder === '' ? 'the project' : folder
      if (found === undefined) return [`${asker} asks for ${name}@${range}, which is not in the lock`]
      if (!EXACT_VERSION.test(range) || found.version === range) return []
      return [`${asker} asks for ${name}@${range}, the lock has ${found.version}`]
    }),
  )
}

/** @param {LockedPackages} packages */
function namedHosts(packages) {
  return Object.entries(packages).flatMap(([folder, { resolved }]) =>
    resolved?.includes('//') ? [`${folder} names the place it came from: ${resolved}`] : [],
  )
}

const file = process.argv[2] ?? 'package-lock.json'
/** @type {{ packages?: LockedPackages }} */
const lock = JSON.parse(readFileSync(file, 'utf8'))
const faults =
  lock.packages === undefined
    ? ['has no "packages": expected lockfileVersion 2 or 3']
    : [...namedHosts(lock.packages), ...missingDependencies(lock.packages)]
for (const fault of faults) console.error(`${file}: ${fault}`)
process.exitCode = faults.length === 0 ? 0 : 1
