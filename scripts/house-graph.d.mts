export function importsByFolder(
  texts: Iterable<readonly [file: string, text: string]>,
): ReadonlyMap<string, ReadonlySet<string>>
export function cyclesIn(edges: ReadonlyMap<string, ReadonlySet<string>>): readonly string[]
