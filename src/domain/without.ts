/** A copy of an object without some of its properties. */
export function without<T extends object, Name extends keyof T>(value: T, ...names: readonly Name[]): Omit<T, Name> {
  const others = Object.entries(value).filter(([name]) => !(names as readonly string[]).includes(name))
  return Object.fromEntries(others) as Omit<T, Name>
}
