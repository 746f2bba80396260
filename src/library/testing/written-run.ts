import { source } from '../../config/sources/holdpoint-yaml/source.ts'
import type { HandlerSpec } from '../../core/hook.ts'
import type { Json } from '../../core/json.ts'

/** What `run` of a hook in a configuration becomes, for tests. Throws if anything is wrong with it. */
export function writtenRun(run: Json): HandlerSpec {
  const file = { path: '/srv/project/.holdpoint/config.yaml', root: '/srv/project' } as const
  const text = JSON.stringify({ version: 1, hooks: { PreToolUse: [{ run }] } })
  const layer = source.parse(text, { ...file, rank: 'project', trusted: true })
  if (!layer.ok) throw new Error(layer.problem.message)
  const [problem] = layer.value.problems
  if (problem !== undefined) throw new Error(problem.message)
  const [entry] = layer.value.hooks
  if (entry === undefined) throw new Error('no hook')
  return entry.run
}
