import type { Facts } from '../../core/facts.ts'

/** What is found at the path of a required file. */
export type FileState =
  | { readonly kind: 'missing' | 'folder' | 'no file' | 'outside' | 'closed' }
  | { readonly kind: 'file'; readonly sizeBytes: number; readonly modifiedMs: number }

/**
 * A path in the project, after following every link. A file elsewhere was not written by an agent of this project.
 */
export async function inspectFile(path: string, facts: Facts): Promise<FileState> {
  const whole = projectPath(path, facts)
  const info = await facts.stat(whole)
  if (info === undefined) return { kind: 'missing' }
  if (info.kind === 'closed') return { kind: 'closed' }
  if (!isInside(facts.realpath(whole), facts.realpath(facts.project))) return { kind: 'outside' }
  if (info.kind === 'folder') return { kind: 'folder' }
  if (info.kind !== 'file') return { kind: 'no file' }
  return { kind: 'file', sizeBytes: info.sizeBytes, modifiedMs: info.modifiedMs }
}

export function projectPath(path: string, { project }: Pick<Facts, 'project'>): string {
  return project.endsWith('/') ? `${project}${path}` : `${project}/${path}`
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}
