/**
 * Everything that can be wrong at one place of a value that JSON holds.
 */
export interface Corruption {
  /** Keys from the root on; items of a list by their number. */
  readonly path: readonly (string | number)[]
  readonly name: string
  readonly value: unknown
}

/** In the place of a value that is taken away. */
const NOTHING = Symbol('nothing')

type Node = Readonly<Record<string | number, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Each corruption of each part of `root`, the root left out. */
export function* corruptions(root: unknown, path: readonly (string | number)[] = []): Generator<Corruption> {
  if (path.length > 0) for (const [name, value] of wrongValues(root)) yield { path, name, value }
  if (!isNode(root)) return
  const keys = Array.isArray(root) ? root.map((_, index) => index) : Object.keys(root)
  for (const key of keys) yield* corruptions(root[key], [...path, key])
}

function* wrongValues(value: unknown): Generator<readonly [string, unknown]> {
  yield* [
    ['gone', NOTHING],
    ['null', null],
    ['text', 'x'],
    ['empty text', ''],
    ['object', {}],
    ['list', []],
  ] as const
  yield* [
    ['true', true],
    ['a fraction', 0.5],
    ['too large', 2 ** 53],
    ['below zero', -1],
  ] as const
  if (typeof value === 'number')
    yield* [
      ['one more', value + 1],
      ['one less', value - 1],
      ['as text', `${value}`],
    ] as const
  if (typeof value === 'boolean') yield ['the other', !value]
  if (typeof value === 'string' && /^-?\d+$/.test(value)) {
    const units = BigInt(value)
    yield* [
      ['one unit more', String(units + 1n)],
      ['one unit less', String(units - 1n)],
      ['a number', Number(value)],
    ] as const
  }
  if (!Array.isArray(value) || value.length === 0) return
  const list: readonly unknown[] = value
  yield* [
    ['without its first', list.slice(1)],
    ['without its last', list.slice(0, -1)],
  ] as const
  yield* [
    ['with its first twice', [list[0], ...list]],
    ['with its last twice', [...list, list.at(-1)]],
  ] as const
  yield ['the other way round', [...list].reverse()]
}

/** A copy of `root` with the corruption in it; the parts beside it are shared. */
export function corrupted(root: unknown, { path, value }: Corruption): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  const node = root as Node
  const part = corrupted(node[key], { path: rest, name: '', value })
  if (Array.isArray(node))
    return part === NOTHING ? node.filter((_, index) => index !== key) : node.with(Number(key), part)
  return Object.fromEntries(Object.entries({ ...node, [key]: part }).filter(([, each]) => each !== NOTHING))
}
