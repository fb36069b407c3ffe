/**
 * The error envelope (section 2) as a schema for a set of codes, named after them.
 */
import { z } from 'zod'
import type { ErrorCode } from '../../wire/error-code.ts'
import { errorDetailSchema, requestIdSchema } from '../../wire/schemas.ts'

const made = new Map<string, z.ZodType>()

/** @param codes  at least one */
export function errorSchemaOf(codes: readonly ErrorCode[]): z.ZodType {
  const id = nameOf(codes)
  let schema = made.get(id)
  if (schema === undefined) {
    schema = z
      .strictObject({ error: errorOf(codes), requestId: requestIdSchema })
      .meta({ id, description: codes.join(' or ') })
    made.set(id, schema)
  }
  return schema
}

/** Section 2: details come with field-level errors alone. */
function errorOf(codes: readonly ErrorCode[]): z.ZodType {
  const code = z.enum(codes)
  const message = z.string().meta({ description: 'a message for a person', examples: ['the reason'] })
  return codes.includes('VALIDATION_ERROR')
    ? z.strictObject({ code, message, details: z.array(errorDetailSchema).optional() })
    : z.strictObject({ code, message })
}

const nameOf = (codes: readonly ErrorCode[]): string => {
  const name = codes.map(pascalCase).join('Or')
  return name.endsWith('Error') ? name : `${name}Error`
}

const pascalCase = (code: ErrorCode): string =>
  code
    .toLowerCase()
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
