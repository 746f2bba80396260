import type { Source } from './source.ts'

/** Every source by its id, loaded when it is first needed. */
export const SOURCES: Readonly<Record<string, () => Promise<{ readonly source: Source }>>> = {
  'holdpoint-yaml': () => import('./holdpoint-yaml/source.ts'),
}
