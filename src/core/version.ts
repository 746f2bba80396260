/** A test checks that it equals the version in package.json. */
export const VERSION = '0.2.0'

/** Whether `version` comes before `other`: by its numbers, a pre-release before its release. */
export function isOlderVersion(version: string, other: string): boolean {
  const [a, b] = [partsOf(version), partsOf(other)]
  const at = a.numbers.findIndex((number, index) => number !== b.numbers[index])
  if (at >= 0) return (a.numbers[at] ?? 0) < (b.numbers[at] ?? 0)
  if (a.label === '' || b.label === '') return a.label !== '' && b.label === ''
  return a.label.localeCompare(b.label, 'en', { numeric: true }) < 0
}

function partsOf(version: string): { readonly numbers: readonly number[]; readonly label: string } {
  const [, major, minor, patch, label = ''] = /^(\d+)\.(\d+)\.(\d+)(?:-([^+]*))?/.exec(version) ?? []
  return { numbers: [major, minor, patch].map(Number), label }
}
