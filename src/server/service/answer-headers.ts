/**
 * The headers of answers as an OpenAPI document tells them (sections 1 and 8, decision 23).
 */
import type { Json } from './json-shapes.ts'
import type { Route } from './route.ts'

export const HEADERS = {
  'X-Request-Id': {
    description: 'the id of the request; error bodies repeat it as requestId',
    required: true,
    schema: { type: 'string', format: 'uuid' },
    example: '8c2f0a5e-6a3c-4b0e-9d55-6a2f3f1c9b10',
  },
  RateLimit: {
    description: 'requests left in each bucket of the key, and seconds until it resets; only if a key was sent',
    schema: { type: 'string' },
    example: '"general";r=599;t=42',
  },
  'RateLimit-Policy': {
    description: 'allowance of each bucket of the key: requests per seconds; only if a key was sent',
    schema: { type: 'string' },
    example: '"general";q=600;w=60',
  },
  'Retry-After': {
    description: 'seconds until the next request is accepted',
    required: true,
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 86_400 },
    example: 42,
  },
} satisfies Readonly<Record<string, Json>>

/** Given before it is known whose key it is. */
const BEFORE_KEY = new Set([401, 408, 417, 431])

/** References to the headers that an answer of a status may have. */
export function headersOf({ access }: Route, status: number): Json {
  const isCounted = access !== 'emulator' && access !== 'open' && !BEFORE_KEY.has(status)
  const names = [
    'X-Request-Id',
    ...(isCounted ? ['RateLimit', 'RateLimit-Policy'] : []),
    ...(status === 429 ? ['Retry-After'] : []),
  ]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
