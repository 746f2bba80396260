import { wordList } from '../../core/word-list.ts'

/** The pages of the documentation, in the order of `holdpoint docs` and of docs/README.md. Guards have their own list. */
export interface Group {
  readonly title: string
  readonly topics: readonly string[]
}

export const GROUPS: readonly Group[] = [
  {
    title: 'Use',
    topics: wordList(
      `readme docs getting-started guard-your-agents agents-with-plugins claude-code-plugin exceptions unattended board
      false-positives`,
    ),
  },
  {
    title: 'Write policy',
    topics: wordList(
      `rules cookbook policies-in-code packs hook-scripts contracts skills-and-agents use-what-you-have
      test-your-policies`,
    ),
  },
  { title: 'Orchestrate', topics: ['mux', 'mux-tools', 'scratchpad', 'collective'] },
  {
    title: 'Build',
    topics: ['library', 'shell', 'sdk', 'mcp', 'python', 'massgen', 'migration', 'migrate-hook-scripts'],
  },
  {
    title: 'Operate',
    topics: wordList(
      'trust reports learn-from-sessions zero-spawn fleet fleet-operations macos windows security',
    ),
  },
  {
    title: 'Reference',
    topics: wordList(`
      hosts agents switches configuration errors lint metrics benchmarks fleet-views fleet-benchmarks comparison corpus
      versioning changelog
    `),
  },
  {
    title: 'Contribute',
    topics: wordList(`
      architecture contributing releasing 0001-state-without-locks 0002-hook-from-code-cache
      0003-what-bounds-a-warm-call 0004-the-board
    `),
  },
]

/** Pages without a group are listed here, so that a new page is never missing. */
export const UNSORTED = 'More'

export const GUARDS = 'Guards'

export function groupOf(topic: string, isGuard: boolean): string {
  if (isGuard) return GUARDS
  return GROUPS.find(({ topics }) => topics.includes(topic))?.title ?? UNSORTED
}
