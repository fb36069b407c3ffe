/**
 * A package that is not there, for a process and its threads, whatever node_modules has.
 */

/** Flag of Node. */
export function withoutPackage(name: string): string {
  const refused = `throw Object.assign(new Error("Cannot find package '${name}'"), { code: 'ERR_MODULE_NOT_FOUND' })`
  const hooks = `export const resolve = (specifier, context, next) => {
    if (specifier === '${name}' || specifier.startsWith('${name}/')) ${refused}
    return next(specifier, context)
  }`
  const source = `
    import Module, { register } from 'node:module'
    const load = Module._load
    Module._load = (specifier, ...rest) => {
      if (specifier === '${name}' || specifier.startsWith('${name}/')) ${refused}
      return load(specifier, ...rest)
    }
    register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hooks)}`)})`
  return `--import=data:text/javascript,${encodeURIComponent(source)}`
}
