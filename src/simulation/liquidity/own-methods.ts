/**
 * Checks that a subclass has not overridden the given methods; only then may a batch method replace many calls of them.
 */
export const hasOwnMethods = <Type extends object>(
  object: Type,
  prototype: Type,
  ...methods: readonly (keyof Type)[]
): boolean => methods.every((method) => object[method] === prototype[method])
