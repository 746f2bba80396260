import { join } from 'node:path'

/** In `.ci/run`, what each file took is also written for the table of lanes (scripts/lanes.mjs). */
export function laneReporters(): ('default' | ['json', { outputFile: string }])[] {
  const { HOLDPOINT_REPORTS: folder, HOLDPOINT_LANE: lane } = process.env
  if (folder === undefined || lane === undefined) return ['default']
  return ['default', ['json', { outputFile: join(folder, `${lane}-${process.pid}.json`) }]]
}
