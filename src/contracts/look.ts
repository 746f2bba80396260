import type { Facts } from '../facts.ts'

/** What is found where a file should be. */
export type Look =
  | { readonly is: 'missing' | 'folder' | 'no file' | 'outside' | 'closed' }
  | { readonly is: 'file'; readonly sizeBytes: number; readonly modifiedMs: number }

/** A path of the project, after every link: what lies elsewhere is not what this project's agent wrote. */
export async function lookAt(path: string, facts: Facts): Promise<Look> {
  const whole = inProject(path, facts)
  const info = await facts.stat(whole)
  if (info === undefined) return { is: 'missing' }
  if (info.kind === 'closed') return { is: 'closed' }
  if (!isInside(facts.realpath(whole), facts.realpath(facts.project))) return { is: 'outside' }
  if (info.kind === 'folder') return { is: 'folder' }
  if (info.kind !== 'file') return { is: 'no file' }
  return { is: 'file', sizeBytes: info.sizeBytes, modifiedMs: info.modifiedMs }
}

export function inProject(path: string, { project }: Pick<Facts, 'project'>): string {
  return project.endsWith('/') ? `${project}${path}` : `${project}/${path}`
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}
