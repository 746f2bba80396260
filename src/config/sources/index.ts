import type { Source } from './source.ts'

/** Every source by its id, loaded on first use. */
export const SOURCES = {
  'holdpoint-yaml': () => import('./holdpoint-yaml/source.ts'),
  'claude-settings': () => import('./claude-settings/source.ts'),
  'claude-plugins': () => import('./claude-plugins/source.ts'),
  frontmatter: () => import('./frontmatter/source.ts'),
  'massgen-yaml': () => import('./massgen-yaml/source.ts'),
} satisfies Readonly<Record<string, () => Promise<{ readonly source: Source }>>>

export type SourceId = keyof typeof SOURCES
