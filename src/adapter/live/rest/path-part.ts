/**
 * A value as a part of a path: ids are opaque, and one with a slash must not become another path.
 */

export const pathPart = (text: string): string =>
  // encodeURIComponent throws for halves of a surrogate pair.
  encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'))
