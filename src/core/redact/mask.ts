/** The format of a masked secret, and values that only refer to a secret. */
export function mask(kind: string): string {
  return `[redacted:${kind}]`
}

export function isMasked(value: string): boolean {
  return /^\[redacted:[a-z-]{1,30}\]$/.test(value)
}

/** False for a variable or a placeholder, which refers to a secret but does not contain it. */
export function isLiteral(value: string): boolean {
  return !/^(?:\$\{?[A-Z_][A-Z0-9_]{0,63}\}?|%[A-Z_][A-Z0-9_]{0,63}%|<[A-Za-z_ -]{1,40}>)$/.test(value)
}
