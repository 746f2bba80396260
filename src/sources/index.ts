import type { Source } from './source.ts'

/** Every source by its id, loaded when it is first needed. */
export const SOURCES = {
  'holdpoint-yaml': () => import('./holdpoint-yaml/source.ts'),
} satisfies Readonly<Record<string, () => Promise<{ readonly source: Source }>>>

export type SourceId = keyof typeof SOURCES
