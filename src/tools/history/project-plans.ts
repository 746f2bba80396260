import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { type LoadedPlan, loadPlan } from '../../app/load-plan.ts'
import { HoldpointError, type Result } from '../../core/errors.ts'
import type { Home } from '../../system/home.ts'
import { findProject } from '../../system/project.ts'
import { type PurePlan, withoutPrograms } from './without-programs.ts'

export interface ProjectPlans {
  /** The project a session was in: where its folder is gone, the folder itself. */
  projectOf(cwd: string): string
  /** The plan that holds there now. Where the project's own file is broken, the user's. */
  planOf(project: string): Promise<PurePlan>
  /** Projects whose configuration cannot be read. */
  readonly broken: readonly string[]
}

/** More projects than one person has; a recording that names more of them gets the user's own policy. */
const PLANS_MAX = 200

/** The plans of the projects that recorded sessions were in, each made ready once. Nothing is kept on disk. */
export function createProjectPlans(home: Home): ProjectPlans {
  const projects = new Map<string, string>()
  const plans = new Map<string, PurePlan>()
  const byRevision = new Map<string, PurePlan>()
  const broken: string[] = []
  const load = (place: string) => loadPlan(place, { home, uncached: true }, new Map())
  return {
    broken,
    projectOf(cwd) {
      const known = projects.get(cwd)
      if (known !== undefined) return known
      const project = isFolder(cwd) ? findProject(cwd) : cwd
      if (projects.size < PLANS_MAX) projects.set(cwd, project)
      return project
    },
    async planOf(project) {
      const mayLoad = plans.has(project) || plans.size < PLANS_MAX
      // Most folders of a recording that are gone share one plan.
      const place = mayLoad && isFolder(project) ? project : home.folder
      const known = plans.get(place)
      if (known !== undefined) return known
      let loaded = await load(place)
      if (place !== home.folder && isBroken(loaded, place)) {
        broken.push(project)
        loaded = await load(home.folder)
      }
      if (!loaded.ok) throw new HoldpointError(loaded.problem)
      const { plan } = loaded.value
      const pure = byRevision.get(plan.revision) ?? (await withoutPrograms(plan))
      byRevision.set(plan.revision, pure)
      plans.set(place, pure)
      return pure
    },
  }
}

/** A file of the project that cannot be read asks about every call: that says nothing about recorded ones. */
function isBroken(loaded: Result<LoadedPlan>, place: string): boolean {
  if (!loaded.ok) return true
  return loaded.value.broken.some(({ file = '' }) => file.startsWith(`${place}/`))
}

/** Folders come from a recording: relative ones and those that are gone name no project. */
function isFolder(path: string): boolean {
  if (!isAbsolute(path) || path.includes('\0')) return false
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
