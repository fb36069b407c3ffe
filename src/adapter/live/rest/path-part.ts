/** Encodes a value as a path segment: ids are opaque, and an id with a slash must not become another path. */

export const pathPart = (text: string): string =>
  // encodeURIComponent throws for lone surrogates.
  encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'))
