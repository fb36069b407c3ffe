/**
 * A check that an object of a class that others extend still has the methods of that class.
 *
 * What does many calls' work at once may stand in for them only then.
 */
export const keepsMethods = <Type extends object>(
  object: Type,
  prototype: Type,
  ...methods: readonly (keyof Type)[]
): boolean => methods.every((method) => object[method] === prototype[method])
