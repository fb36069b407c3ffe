/** A strategy's own state: a small JSON value that outlives a restart on paper and live. */

/** The same value, read-only at every depth. */
export type DeepReadonly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
  : Value

/** State of a strategy: `const memory = state(z.object({ entries: z.int().default(0) }))`. */
export interface StrategyState<Value> {
  /** The current value, frozen: change it with `set`. */
  readonly value: DeepReadonly<Value>
  /**
   * Replaces the value. On paper and live with a state directory it is on disk when the call returns, so set it before
   * you emit the order that belongs to it. Ignored during warm-up.
   *
   * @param next  all fields, as JSON: strings for money, no Decimal; at most 1 MB
   * @throws {InputError} if it does not fit the schema, or is too large
   */
  readonly set: (next: DeepReadonly<Value>) => void
}

/** The part of a zod schema that is used, of any copy of zod. */
export interface StateSchema<Value> {
  /** Result of parsing a value, or its faults. */
  readonly safeParse: (
    value: unknown,
  ) =>
    | { readonly success: true; readonly data: Value }
    | { readonly success: false; readonly error: { readonly issues: readonly SchemaIssue[] } }
}

interface SchemaIssue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}
