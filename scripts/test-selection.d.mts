/** Types of test-selection.mjs, for its tests. */
export interface TestSelection {
  readonly files: readonly string[]
  /** The guards and models that suites should test; empty: all. */
  readonly only: readonly string[]
  /** Names that nothing matches. */
  readonly unknown: readonly string[]
}

export function selectTests(names: readonly string[], paths: readonly string[]): TestSelection
