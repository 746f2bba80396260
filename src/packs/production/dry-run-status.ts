import type { Event } from '../../event.ts'
import type { Facts } from '../../facts.ts'

/** Where a session says how it stands: by its id, by the agent's process, else for all of the project. */
export function statusFiles(event: Event, facts: Facts): readonly string[] {
  const names = [event.session, facts.env.CLAUDE_PID ?? '', 'shared'].filter((name) => NAME.test(name))
  return names.map((name) => `${facts.project}/outputs/session/${name}/status.yml`)
}

/** One name, not a way up and out. */
const NAME = /^(?!\.+$)[\w.-]{1,200}$/

/** The first of the files that is there decides. */
export async function isDryRun(event: Event, facts: Facts): Promise<boolean> {
  for (const file of statusFiles(event, facts)) {
    const text = await facts.readText(file)
    if (text !== undefined) return DRY_RUN.test(text)
  }
  return false
}

const DRY_RUN = /^\s{0,20}["']?dry_run["']?[ \t]*:[ \t]*["']?(?:true|yes|on)["']?[ \t]*(?:#.*)?$/im
